package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/regret"
)

// regretCommand measures what players give away by noise.
type regretCommand struct {
	Measure   regretMeasure   `cmd:"" default:"withargs" help:"Say how often two seeds of a player choose the same move, and what it gives away against a long search."`
	Positions regretPositions `cmd:"" help:"Make the positions anew: of games, each move judged by long searches."`
	Judge     regretJudge     `cmd:"" help:"Let a newer long search judge the moves of the same positions again."`
}

type regretMeasure struct {
	Players []string `arg:"" help:"Levels or variants of Luzhanqi, as match names them; the others are compared with the first."`
	Nodes   int      `default:"30000" help:"Positions a move for players that would use the time (default ${default})."`
	Seeds   int      `default:"4" help:"Seeds of each player (default ${default})."`
	Earlier int      `default:"0" help:"Earlier moves that a player chooses first, for those that keep something of them (default ${default})."`
	Most    int      `default:"0" help:"Positions at most; 0: all."`
}

// Run implements the command.
func (c *regretMeasure) Run(out io.Writer) error {
	if c.Seeds < 2 {
		return fmt.Errorf("--seeds %d: allowed are whole numbers from 2", c.Seeds)
	}
	all, err := committed(c.Most)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(all[0].Verdicts))
	head := []string{fmt.Sprintf("%d positions, %d seeds", len(all), c.Seeds), "two agree"}
	for _, name := range names {
		head = append(head, "regret by "+name, "by its other verdict", "its move")
	}
	printRow(out, append(head, "ms a move"))
	var first *regret.Trial
	for _, name := range c.Players {
		newPlayer := func() (player.Player, error) {
			return find(rules.Game{}, name, player.Options{Nodes: c.Nodes, Threads: 1})
		}
		t, err := regret.Measure(all, newPlayer, c.Seeds, c.Earlier, processorTime)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		row := []string{name, percent(t.Agreement)}
		for _, by := range names {
			row = append(row, wins(t.Regret[by]), wins(t.Lost[by]), percent(t.Best[by]))
		}
		printRow(out, append(row, fmt.Sprintf("%.2f", t.Took.Seconds()*1000/float64(t.Moves))))
		if first == nil {
			first = t
			continue
		}
		row = []string{"  against " + c.Players[0], percent(t.Agreement.Minus(first.Agreement))}
		for _, by := range names {
			row = append(row, wins(t.Regret[by].Minus(first.Regret[by])), wins(t.Lost[by].Minus(first.Lost[by])), percent(t.Best[by].Minus(first.Best[by])))
		}
		printRow(out, append(row, fmt.Sprintf("%+.0f %%", 100*(float64(t.Took)/float64(first.Took)-1))))
	}
	return nil
}

// committed are copies of the committed positions, so many at most; 0: all.
func committed(most int) ([]regret.Position, error) {
	if most < 0 {
		return nil, fmt.Errorf("--most %d: allowed are whole numbers from 0", most)
	}
	all := slices.Clone(regret.Positions())
	if most > 0 {
		all = all[:min(most, len(all))]
	}
	return all, nil
}

// printRow prints a row at once: a long run that is interrupted has told something.
func printRow(out io.Writer, cells []string) {
	for i, cell := range cells {
		width := 23
		if i == len(cells)-1 {
			width = 0
		}
		fmt.Fprintf(out, "%-*s ", width, cell)
	}
	fmt.Fprintln(out)
}

func percent(m regret.Means) string {
	mean, e := m.Mean()
	return fmt.Sprintf("%.1f ± %.1f %%", 100*mean, 100*e)
}

func wins(m regret.Means) string {
	if m == nil { // a search that has judged once
		return "–"
	}
	mean, e := m.Mean()
	return fmt.Sprintf("%.4f ± %.4f", mean, e)
}

type regretPositions struct {
	Out      string   `required:"" type:"path" help:"File to write them to." placeholder:"FILE"`
	Player   string   `default:"strong" help:"Player whose moves they are (default ${default})."`
	Against  []string `default:"strong,strong-f665184,medium,column,sideways,feint,engineers,exchange,waiter,exchanger" help:"Players against whom (default ${default})."`
	Games    int      `short:"n" default:"4" help:"Games against each (default ${default})."`
	Each     int      `default:"5" help:"Positions of each game (default ${default})."`
	Nodes    int      `default:"2000" help:"Positions a move in the games, for players that would use the time (default ${default})."`
	By       []string `default:"long,long-f665184" help:"Players that judge the moves (default ${default})."`
	Long     int      `default:"1500000" help:"Positions a move for them (default ${default})."`
	Verdicts int      `default:"2" help:"Verdicts of each, by seeds of their own (default ${default})."`
	Seed     uint64   `default:"1" help:"Seed of every random choice (default ${default})."`
	Commit   string   `default:"unknown" help:"Commit that the command was built from, for the first lines of the file."`
}

// Run implements the command.
func (c *regretPositions) Run(out io.Writer) error {
	var all []regret.Position
	for i, against := range c.Against {
		for n := range c.Games {
			r := rand.New(rand.NewPCG(c.Seed, uint64(i*c.Games+n)))
			found, err := c.play(against, game.Side(n&1), r)
			if err != nil {
				return fmt.Errorf("%s against %s, game %d: %w", c.Player, against, n, err)
			}
			for k := range found {
				if err := judge(&found[k], c.By, c.Long, c.Verdicts, r); err != nil {
					return fmt.Errorf("%s against %s, game %d, ply %d: %w", c.Player, against, n, found[k].Ply, err)
				}
			}
			all = append(all, found...)
			fmt.Fprintf(out, "%s against %s, game %d: %d positions in all\n", c.Player, against, n, len(all))
		}
	}
	header := fmt.Sprintf("Positions of Luzhanqi where %s was to move, and the values of its moves by long searches, in ten-thousandths of a win:\n"+
		"a line for each verdict of a search, by seeds of their own, with * before the move that it would choose; made by\n"+
		"go run ./cmd/luzhanqi-measure regret positions --out FILE --seed %d --games %d --each %d --nodes %d --long %d --verdicts %d\n"+
		"at commit %s\n", c.Player, c.Seed, c.Games, c.Each, c.Nodes, c.Long, c.Verdicts, c.Commit)
	return os.WriteFile(c.Out, []byte(regret.Text(header, all)), 0o666)
}

// play plays a game in which the player has a side, and draws positions in which it has a choice.
func (c *regretPositions) play(against string, side game.Side, r *rand.Rand) ([]regret.Position, error) {
	g := &regret.Game{}
	var players [2]player.Player
	for s := range game.Side(2) {
		g.Players[s] = against
		if s == side {
			g.Players[s] = c.Player
		}
		p, err := find(rules.Game{}, g.Players[s], player.Options{Nodes: c.Nodes, Threads: 1})
		if err != nil {
			return nil, err
		}
		players[s], g.SetUps[s] = p, p.SetUp(r)
	}
	p, err := rules.Game{}.New(game.Rules{}, g.SetUps)
	if err != nil {
		return nil, err
	}
	var choices []int // plies
	for most := (rules.Game{}).Limits().MaxPlies; p.Ply() < most; {
		if _, over := p.Outcome(); over {
			break
		}
		s := p.Mover()
		showTruth(players[s], p)
		m := players[s].Choose(p.View(s), time.Now().Add(time.Hour), r)
		if e, ok := players[s].(player.Explainer); s == side && ok {
			if why, ok := e.Explain(); ok && !why.Forced {
				choices = append(choices, p.Ply())
			}
		}
		if err := p.Check(m); err != nil {
			return nil, fmt.Errorf("ply %d: player %d: %w", p.Ply(), s+1, err)
		}
		g.Moves = append(g.Moves, m)
		p = p.Play(m)
	}
	r.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
	choices = choices[:min(c.Each, len(choices))]
	slices.Sort(choices)
	var all []regret.Position
	for _, ply := range choices {
		all = append(all, regret.Position{Game: g, Ply: ply, Verdicts: map[string][]regret.Verdict{}})
	}
	return all, nil
}

// judge lets long searches look at a position, each so often, with another seed every time.
func judge(p *regret.Position, by []string, nodes, verdicts int, r *rand.Rand) error {
	if verdicts < 1 {
		return fmt.Errorf("--verdicts %d: allowed are whole numbers from 1", verdicts)
	}
	for _, name := range by {
		p.Verdicts[name] = nil
		for range verdicts {
			v, err := verdict(p.Before(0), name, nodes, r.Uint64())
			if err != nil {
				return err
			}
			p.Verdicts[name] = append(p.Verdicts[name], v)
		}
	}
	return nil
}

func verdict(at *rules.Position, name string, nodes int, seed uint64) (v regret.Verdict, err error) {
	who, err := find(rules.Game{}, name, player.Options{Nodes: nodes, Threads: 1})
	if err != nil {
		return v, err
	}
	showTruth(who, at)
	who.Choose(at.View(at.Mover()), time.Now().Add(time.Hour), rand.New(rand.NewPCG(seed, 0)))
	e, ok := who.(player.Explainer)
	if !ok {
		return v, fmt.Errorf("%s explains nothing", name)
	}
	why, _ := e.Explain()
	moves := at.Moves(nil)
	if len(why.Candidates) != len(moves) {
		return v, fmt.Errorf("%s judges %d moves of %d", name, len(why.Candidates), len(moves))
	}
	v.Values = make([]int, len(moves))
	best := chosenOf(why.Candidates)
	for n, c := range why.Candidates {
		m, err := rules.Game{}.ParseMove(c.Move)
		i := slices.Index(moves, m)
		if err != nil || i < 0 {
			return v, errors.Join(err, fmt.Errorf("%s judges %q, which is no move", name, c.Move))
		}
		v.Values[i] = int(10_000 * c.Value)
		if n == best {
			v.Best = i
		}
	}
	return v, nil
}

// chosenOf is the number of the one that a search chooses: the best of those with half of the most visits. What was dropped early may look better
// by luck. A search also counts what it does not say: how bold it is, and that it tells some moves not apart.
func chosenOf(all []player.Explained) (best int) {
	most := int64(0)
	for _, c := range all {
		most = max(most, c.Visits)
	}
	highest := math.Inf(-1)
	for i, c := range all {
		if 2*c.Visits >= most && c.Value > highest {
			highest, best = c.Value, i
		}
	}
	return best
}

type regretJudge struct {
	Out      string   `required:"" type:"path" help:"File to write the positions to." placeholder:"FILE"`
	By       []string `default:"long" help:"Players that judge the moves. Their verdicts replace those under the same names, others stay (default ${default})."`
	Long     int      `default:"1500000" help:"Positions a move for them (default ${default})."`
	Verdicts int      `default:"2" help:"Verdicts of each, by seeds of their own (default ${default})."`
	Seed     uint64   `default:"2" help:"Seed of every random choice (default ${default})."`
	Commit   string   `default:"unknown" help:"Commit that the command was built from, for the first lines of the file."`
	Most     int      `default:"0" help:"Positions at most; 0: all."`
}

// Run implements the command.
func (c *regretJudge) Run(out io.Writer) error {
	all, err := committed(c.Most)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Verdicts = maps.Clone(all[i].Verdicts)
		if err := judge(&all[i], c.By, c.Long, c.Verdicts, rand.New(rand.NewPCG(c.Seed, uint64(i)))); err != nil {
			return fmt.Errorf("position %d: %w", i+1, err)
		}
	}
	fmt.Fprintf(out, "%d positions judged by %s\n", len(all), strings.Join(c.By, ", "))
	command := fmt.Sprintf("go run ./cmd/luzhanqi-measure regret judge --out FILE --by %s --long %d --verdicts %d --seed %d", strings.Join(c.By, ","), c.Long, c.Verdicts, c.Seed)
	if c.Most > 0 {
		command += fmt.Sprintf(" --most %d", c.Most)
	}
	header := regret.Header() + fmt.Sprintf("the values by %s judged by\n%s\nat commit %s\n", strings.Join(c.By, ", "), command, c.Commit)
	return os.WriteFile(c.Out, []byte(regret.Text(header, all)), 0o666)
}
