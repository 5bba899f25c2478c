package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/stranger"
	"luzhanqi/tournament/rating"
)

// panelCommand plays a level against everybody that it has to fear. Whoever tunes a player by its own twins
// learns nothing about strangers (player/luzhanqi/measured.md); so a gain counts if the panel says so, too.
type panelCommand struct {
	Player  string   `arg:"" default:"strong" help:"Level or variant to measure (default ${default})."`
	Against []string `placeholder:"NAME" help:"Members of the panel, each a level, a variant or the file of a style (.json), a search (.search) or a book of set-ups (.txt); left out, all styles of package stranger and the levels of other kinds."`

	Nodes   int           `default:"6000" help:"Positions a move of those that would use the time; 0: --time counts (default ${default})."`
	Time    time.Duration `default:"100ms" help:"Time for a move, with --nodes 0 (default ${default})."`
	Pairs   int           `default:"100" help:"Pairs of games with each member, at most; both games of a pair have the same set-ups (default ${default})."`
	Among   int           `default:"0" help:"Pairs of games between each two members, for the joint ratings (default ${default})."`
	Test    string        `default:"80,90" help:"Scores in percent between which a sequential test decides (alpha = beta = 0.05); it ends the games with a member early; none: play all (default ${default})."`
	Results string        `type:"path" placeholder:"FILE" help:"File that every pair is added to, and from which an interrupted run goes on."`
	Seed    uint64        `default:"1" help:"Seed of every random choice (default ${default})."`
	For     time.Duration `placeholder:"TIME" help:"Start no pair after that time; what is missing is played by the next run with the same --results."`
	Quiet   bool          `short:"q" help:"Print the table only."`
}

// others are the members of the panel that are no styles.
var others = []string{"greedy", "rush", "responder", "medium", "naive", "fortress", "strong-f665184"}

// playedPair is a line of the file of results. Players are named with their budgets, since they are others with others.
type playedPair struct {
	Players [2]string `json:"players"`
	Seed    uint64    `json:"seed"`
	Pair    int       `json:"pair"`
	// Games are from the first player's side: in the first of them it moves first.
	Games [2]playedGame `json:"games"`
}

type playedGame struct {
	Points float64 `json:"points"`
	Plies  int     `json:"plies"`
	Reason string  `json:"reason"`
}

func (g playedGame) result() rating.Result { return rating.Loss + rating.Result(2*g.Points) }

// Run implements the command.
func (c *panelCommand) Run(out io.Writer) error {
	members := c.Against
	if len(members) == 0 {
		for _, s := range stranger.All() {
			members = append(members, s.Name)
		}
		members = append(members, others...)
	}
	members = slices.DeleteFunc(slices.Clone(members), func(name string) bool { return name == c.Player })
	for _, name := range append([]string{c.Player}, members...) {
		if _, err := find(rules.Game{}, name, player.Options{}); err != nil {
			return err
		}
	}
	test, err := c.test()
	if err != nil {
		return err
	}
	f, err := openPanel(c.Results)
	if err != nil {
		return err
	}
	defer f.close()
	inTime := within(c.For)
	for pair := 0; pair < c.Pairs && inTime(); pair++ { // one after the other, so that an interrupted run tells something of all
		for _, m := range members {
			if c.decided(f, m, test) || !inTime() {
				continue
			}
			if err := c.playPair(out, f, [2]string{c.Player, m}, pair); err != nil {
				return err
			}
		}
	}
	for pair := 0; pair < c.Among && inTime(); pair++ {
		for i, m := range members {
			for _, n := range members[:i] {
				if err := c.playPair(out, f, [2]string{n, m}, pair); err != nil {
					return err
				}
			}
		}
	}
	return c.print(out, f, members, test)
}

// within says, whenever it is asked, whether a time from now on is not over; 0: it never is.
func within(limit time.Duration) (inTime func() bool) {
	began := time.Now()
	return func() bool { return limit == 0 || time.Since(began) < limit }
}

// test is the sequential one; nil: none.
func (c *panelCommand) test() (*rating.SPRT, error) {
	if c.Test == "none" {
		return nil, nil
	}
	low, high, err := rating.ParseHypotheses(c.Test)
	if err == nil && !(low > 0 && low < high && high < 100) {
		err = fmt.Errorf("found %v and %v: must be two percentages, the lower first", low, high)
	}
	if err != nil {
		return nil, fmt.Errorf("--test %s: %w", c.Test, err)
	}
	t, err := rating.NewSPRT(rating.Elo(low/100), rating.Elo(high/100), 0.05, 0.05, rating.Logistic)
	return &t, err
}

// fewest is how many pairs come before the test is asked: it estimates the variance from them.
const fewest = 8

func (c *panelCommand) decided(f *panelFile, member string, test *rating.SPRT) bool {
	var tally rating.Tally
	for _, p := range f.between(c.named(c.Player), c.named(member), c.Seed) {
		tally.Add(p.Pair, p.Games[0].result())
		tally.Add(p.Pair, p.Games[1].result())
	}
	return test != nil && tally.Pairs().Total() >= fewest && rating.NewVerdict(tally.Counts(), test).Decision != rating.Continue
}

// named is a player with its budget, as the file of results names it.
func (c *panelCommand) named(name string) string {
	if c.Nodes > 0 {
		return budgeted(name, strconv.Itoa(c.Nodes))
	}
	return budgeted(name, c.Time.String())
}

// playPair plays both games of a pair, unless the file has them.
func (c *panelCommand) playPair(out io.Writer, f *panelFile, players [2]string, pair int) error {
	named := playedPair{Players: [2]string{c.named(players[0]), c.named(players[1])}, Seed: c.Seed, Pair: pair}
	p, err := f.play(named, func(n int) (playedGame, error) { return c.play(players, pair, n) })
	if p != nil && !c.Quiet {
		fmt.Fprintf(out, "%s %s pair %d: %v after %d plies (%s), %v after %d plies (%s)\n", p.Players[0], p.Players[1], pair,
			p.Games[0].Points, p.Games[0].Plies, p.Games[0].Reason, p.Games[1].Points, p.Games[1].Plies, p.Games[1].Reason)
	}
	return err
}

// play plays a game of a pair; in the second one the seats are exchanged, and each keeps its set-up.
func (c *panelCommand) play(names [2]string, pair, swapped int) (playedGame, error) {
	var players [2]player.Player
	var setUps [2]game.SetUp
	var random [2]*rand.Rand
	for i, name := range names {
		p, err := find(rules.Game{}, name, player.Options{Nodes: c.Nodes, Threads: 1})
		if err != nil {
			return playedGame{}, err
		}
		side := i ^ swapped
		players[side] = p
		setUps[side] = p.SetUp(rand.New(rand.NewPCG(c.Seed, uint64(pair)<<1|uint64(i))))
		random[side] = rand.New(rand.NewPCG(^c.Seed, uint64(pair)<<2|uint64(i)<<1|uint64(swapped)))
	}
	o, plies, err := playOut(players, setUps, random, c.Time)
	return playedGame{Points: o.Points(game.Side(swapped)), Plies: plies, Reason: o.Reason}, err
}

// playOut plays a game of Luzhanqi to its end, or to the number of plies after which the referee has it drawn.
func playOut(players [2]player.Player, setUps [2]game.SetUp, random [2]*rand.Rand, limit time.Duration) (game.Outcome, int, error) {
	p, err := rules.Game{}.New(game.Rules{}, setUps)
	if err != nil {
		return game.Outcome{}, 0, err
	}
	return playOn(rules.Game{}, p, players, random, limit)
}

// playOn plays a game from a position to its end, or to the number of plies after which the referee has it drawn, and says after how many plies
// of the whole game that was.
func playOn(g game.Game, p game.Position, players [2]player.Player, random [2]*rand.Rand, limit time.Duration) (game.Outcome, int, error) {
	for most := g.Limits().MaxPlies; most == 0 || p.Ply() < most; {
		if o, over := p.Outcome(); over {
			return o, p.Ply(), nil
		}
		side := p.Mover()
		showTruth(players[side], p)
		m := players[side].Choose(p.View(side), time.Now().Add(limit), random[side])
		if err := p.Check(m); err != nil {
			return game.Outcome{}, 0, fmt.Errorf("ply %d: player %d: %w", p.Ply(), side+1, err)
		}
		p = p.Play(m)
	}
	if o, over := p.Outcome(); over {
		return o, p.Ply(), nil
	}
	return game.Drawn("plies"), p.Ply(), nil
}

// print writes the table: who takes most comes first.
func (c *panelCommand) print(out io.Writer, f *panelFile, members []string, test *rating.SPRT) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	ratings, number, err := f.ratings()
	if err != nil {
		return err
	}
	elo := func(name string) string {
		i, ok := number[name]
		if !ok {
			return "–"
		}
		e := ratings.FromMean(i)
		return fmt.Sprintf("%s (%s to %s)", rating.Signed(e.Value, 0), rating.Signed(e.Low, 0), rating.Signed(e.High, 0))
	}
	fmt.Fprintf(w, "member\tgames\ttakes of %s\t95 %%\t%s\tElo, joint fit\tplies\thow it wins\n", c.named(c.Player), cmp.Or(c.Test, "test"))
	rows := map[string]rating.Estimate{}
	for _, m := range members {
		t := rating.Tally{}
		for _, p := range f.between(c.named(c.Player), c.named(m), c.Seed) {
			t.Add(p.Pair, p.Games[0].result().Swapped())
			t.Add(p.Pair, p.Games[1].result().Swapped())
		}
		rows[m] = rating.NewEstimate(t.Counts())
	}
	slices.SortStableFunc(members, func(a, b string) int { return cmp.Compare(rows[b].Score.Value, rows[a].Score.Value) })
	for _, m := range members {
		games := f.between(c.named(c.Player), c.named(m), c.Seed)
		if len(games) == 0 {
			fmt.Fprintf(w, "%s\t0\t\t\t\t\t\t\n", c.named(m))
			continue
		}
		e := rows[m].Score
		decision := "open"
		if t := (rating.Tally{}); test != nil {
			for _, p := range games {
				t.Add(p.Pair, p.Games[0].result())
				t.Add(p.Pair, p.Games[1].result())
			}
			switch v := rating.NewVerdict(t.Counts(), test); {
			case len(games) < fewest:
			case v.Decision == rating.AcceptH0:
				decision = "takes more"
			case v.Decision == rating.AcceptH1:
				decision = "takes less"
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f %%\t%.1f to %.1f\t%s\t%s\t%s\n", c.named(m), 2*len(games),
			100*e.Value, 100*e.Low, 100*e.High, decision, elo(c.named(m)), ways(games))
	}
	fmt.Fprintf(w, "%s\t\t\t\t\t%s\t\t\n", c.named(c.Player), elo(c.named(c.Player)))
	return w.Flush()
}

// ways are the mean length, and how the second player of pairs has won.
func ways(pairs []playedPair) string {
	plies := 0
	won := map[string]int{}
	for _, p := range pairs {
		for _, g := range p.Games {
			plies += g.Plies
			switch g.Points {
			case 0:
				won[g.Reason]++
			case 0.5:
				won["drawn: "+g.Reason]++
			}
		}
	}
	var all []string
	for _, reason := range slices.Sorted(maps.Keys(won)) {
		all = append(all, fmt.Sprintf("%s %d", reason, won[reason]))
	}
	return fmt.Sprintf("%d\t%s", plies/(2*len(pairs)), strings.Join(all, ", "))
}
