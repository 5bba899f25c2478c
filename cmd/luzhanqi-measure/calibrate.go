package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
)

// calibrateCommand measures how well players foretell how their games end: what they say that their moves are worth,
// against the points that they got.
type calibrateCommand struct {
	Player   string   `arg:"" help:"Level or variant of Luzhanqi that plays, and says what its moves are worth, as match names it."`
	Against  []string `default:"strong" help:"Players against whom (default ${default})."`
	Judges   []string `help:"Players that judge the same positions beside it, without playing."`
	Games    int      `short:"n" default:"100" help:"Games against each (default ${default})."`
	Nodes    int      `default:"30000" help:"Positions a move for players that would use the time (default ${default})."`
	Every    int      `default:"1" help:"Look at one of so many moves of each side (default ${default})."`
	Parallel int      `short:"c" default:"1" help:"Games at a time (default ${default})."`
	Seed     uint64   `default:"1" help:"Seed of every random choice (default ${default})."`
	Fit      bool     `help:"Print the foretelling by which values like the player's would say what came; meant for the variant raw."`
}

// foretold is what one judge said in one position.
type foretold struct {
	game   int // number
	ply    int
	chance float64 // of winning, by the move that was chosen
	points float64 // in the end
}

// Run implements the command.
func (c *calibrateCommand) Run(out io.Writer) error {
	if c.Games < 1 || c.Every < 1 || c.Parallel < 1 {
		return fmt.Errorf("--games %d, --every %d, --parallel %d: allowed are whole numbers from 1", c.Games, c.Every, c.Parallel)
	}
	judges := append([]string{c.Player}, c.Judges...)
	all := make([][]foretold, len(judges))
	for i, against := range c.Against {
		said := make([][]foretold, len(judges))
		points, err := c.games(against, judges, i*c.Games, said)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s takes %.1f %% of %d games from %s\n", c.Player, 100*points/float64(c.Games), c.Games, against)
		for i, name := range judges {
			printCalibration(out, fmt.Sprintf("%s against %s", name, against), said[i])
			all[i] = append(all[i], said[i]...)
		}
	}
	if c.Fit {
		fmt.Fprintln(out, "// "+strings.Join(c.command(), " "))
		for _, k := range fit(all[0]) {
			fmt.Fprintf(out, "{%v, %.3f, %.3f},\n", k.Ply, k.Bias, k.Slope)
		}
	}
	if len(c.Against) > 1 {
		for i, name := range judges {
			printCalibration(out, name+" in all games", all[i])
		}
	}
	return nil
}

// games plays all games against one player; so many have been played before.
func (c *calibrateCommand) games(against string, judges []string, before int, said [][]foretold) (points float64, err error) {
	type played struct {
		said   [][]foretold
		points float64
		err    error
	}
	results := make([]played, c.Games)
	var wg sync.WaitGroup
	next := make(chan int)
	for range c.Parallel {
		wg.Go(func() {
			for n := range next {
				r := &results[n]
				r.said, r.points, r.err = c.play(against, judges, n)
			}
		})
	}
	for n := range results {
		next <- n
	}
	close(next)
	wg.Wait()
	for n := range results {
		r := &results[n]
		if r.err != nil {
			return 0, fmt.Errorf("%s against %s, game %d: %w", c.Player, against, n, r.err)
		}
		points += r.points
		for i := range judges {
			for k := range r.said[i] {
				r.said[i][k].game = before + n
			}
			said[i] = append(said[i], r.said[i]...)
		}
	}
	return points, nil
}

// play plays one game, in which the player has the side that the number says, and returns what each judge foretold. Against itself, both sides
// say what they foretell, so that the luck of one is that of neither; unless there are judges, who see what the player sees.
func (c *calibrateCommand) play(against string, judges []string, n int) (said [][]foretold, points float64, err error) {
	watching := make([]player.Player, len(judges))
	for i, name := range judges {
		if watching[i], err = find(rules.Game{}, name, player.Options{Nodes: c.Nodes, Threads: 1}); err != nil {
			return nil, 0, err
		}
	}
	said = make([][]foretold, len(judges))
	turn, enemyTurn := 0, 0
	d := duel{against: against, nodes: c.Nodes, seed: c.Seed, both: against == c.Player && len(judges) == 1}
	var enemies []foretold
	o, err := d.play(watching[0], n, func(by player.Player, p game.Position, _ game.Move) {
		if by != watching[0] {
			if enemyTurn++; (enemyTurn-1)%c.Every != 0 {
				return
			}
			if value, ok := worth(by); ok {
				enemies = append(enemies, foretold{ply: p.Ply(), chance: (1 + value) / 2})
			}
			return
		}
		if turn++; (turn-1)%c.Every != 0 {
			return
		}
		for i, judge := range watching {
			if i > 0 {
				showTruth(judge, p)
				judge.Choose(p.View(p.Mover()), time.Now().Add(time.Hour), rand.New(rand.NewPCG(c.Seed, uint64(p.Ply()))))
			}
			if value, ok := worth(judge); ok {
				said[i] = append(said[i], foretold{ply: p.Ply(), chance: (1 + value) / 2})
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	points = o.Points(game.Side(n & 1))
	for i := range said {
		for k := range said[i] {
			said[i][k].points = points
		}
	}
	for _, f := range enemies {
		f.points = 1 - points
		said[0] = append(said[0], f)
	}
	return said, points, nil
}

// worth is what a player's latest move is worth, as it says itself; false if it had no choice.
func worth(p player.Player) (value float64, ok bool) {
	e, ok := p.(player.Explainer)
	if !ok {
		return 0, false
	}
	why, ok := e.Explain()
	if !ok || why.Forced {
		return 0, false
	}
	for _, candidate := range why.Candidates {
		if candidate.Move == why.Move {
			return candidate.Value, true
		}
	}
	return 0, false
}

// phases are plies at which the parts of a game begin, for the table.
var phases = []int{0, 30, 60, 90, 130, 200}

func printCalibration(out io.Writer, title string, all []foretold) {
	if len(all) == 0 {
		fmt.Fprintf(out, "%s: foretold nothing\n", title)
		return
	}
	brier, nats := 0.0, 0.0
	for _, f := range all {
		brier += (f.chance - f.points) * (f.chance - f.points)
		p := min(max(f.chance, 0.001), 0.999)
		nats -= f.points*math.Log(p) + (1-f.points)*math.Log(1-p)
	}
	n := float64(len(all))
	fmt.Fprintf(out, "%s: %d moves, Brier score %.4f, %.4f nats, %s\n", title, len(all), brier/n, nats/n, bias(all))
	for i, from := range phases {
		var part []foretold
		for _, f := range all {
			if f.ply >= from && (i == len(phases)-1 || f.ply < phases[i+1]) {
				part = append(part, f)
			}
		}
		if len(part) > 0 {
			fmt.Fprintf(out, "  from ply %3d: %6d, %s\n", from, len(part), bias(part))
		}
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(x, y foretold) int {
		switch {
		case x.chance < y.chance:
			return -1
		case x.chance > y.chance:
			return 1
		}
		return 0
	})
	for i := range 10 {
		part := sorted[i*len(sorted)/10 : (i+1)*len(sorted)/10]
		if len(part) > 0 {
			fmt.Fprintf(out, "  decile %2d:   %6d, %s\n", i+1, len(part), bias(part))
		}
	}
}

// bias says what was foretold, what came, and the difference, with 1.96 standard errors, which one game has not: all that was foretold in one game
// errs by its one end.
func bias(all []foretold) string {
	said, came := 0.0, 0.0
	by := map[int]*struct{ sum, n float64 }{}
	for _, f := range all {
		said += f.chance
		came += f.points
		g := by[f.game]
		if g == nil {
			g = &struct{ sum, n float64 }{}
			by[f.game] = g
		}
		g.sum += f.chance - f.points
		g.n++
	}
	n := float64(len(all))
	mean, square := (said-came)/n, 0.0
	for _, g := range by {
		square += (g.sum - mean*g.n) * (g.sum - mean*g.n)
	}
	text := fmt.Sprintf("foretold %.3f, came %.3f, bias %+.3f", said/n, came/n, mean)
	if games := float64(len(by)); games > 1 {
		text += fmt.Sprintf(" ± %.3f", 1.96*math.Sqrt(square*games/(games-1))/n)
	}
	return text
}

// command is what made this.
func (c *calibrateCommand) command() []string {
	return []string{
		"luzhanqi-measure calibrate", c.Player, "--against", strings.Join(c.Against, ","), "-n", strconv.Itoa(c.Games), "--nodes", strconv.Itoa(c.Nodes),
		"--seed", strconv.FormatUint(c.Seed, 10), "--fit",
	}
}

// knots are the plies of a foretelling's knots.
var knots = []float64{0, 40, 80, 120, 160, 220, 300, 500, 1000}

// A knot of which little is known stays near one that changes nothing: its numbers are expected to be off by 2.2, one in the square root of
// trusted. Whatever came by chance in the few long games, what is worth more foretells more.
const (
	trusted    = 0.2
	leastSlope = 0.1
)

// fit finds the foretelling that makes what came likeliest, by one number after the other, until none changes any more, or three hundred times
// round. The moves of one game all have the same end; so each game counts once between two knots, however many moves it has there.
func fit(all []foretold) luzhanqi.Foretelling {
	n := len(knots)
	theta := make([]float64, 2*n)
	for i := range n {
		theta[n+i] = 1
	}
	begin := slices.Clone(theta)
	// row has what a position has of the numbers of two knots.
	type row struct {
		game   int
		weight float64 // of all that the game has there, its share
		part   float64 // of the way from the first to the second
		odds   float64
		points float64
	}
	rows := make([][]row, n-1) // by the first knot
	for _, f := range all {
		if math.Abs(2*f.chance-1) >= luzhanqi.Extreme { // many of these are known, or ends at once, which are not foretold by it
			continue
		}
		first := 0
		x := min(max(float64(f.ply), knots[0]), knots[n-1])
		for first < n-2 && x > knots[first+1] {
			first++
		}
		part := (x - knots[first]) / (knots[first+1] - knots[first])
		rows[first] = append(rows[first], row{game: f.game, part: part, odds: luzhanqi.LogOdds(2*f.chance - 1), points: f.points})
	}
	for _, some := range rows {
		of := map[int]float64{} // by game
		for _, r := range some {
			of[r.game]++
		}
		for i := range some {
			some[i].weight = 1 / of[some[i].game]
		}
	}
	for range 300 {
		most := 0.0 // that a number has changed by
		for j := range theta {
			before := theta[j]
			slope, curve := trusted*(begin[j]-theta[j]), trusted
			for first := max(j%n-1, 0); first <= min(j%n, n-2); first++ {
				for _, r := range rows[first] {
					share := r.part
					if first == j%n {
						share = 1 - r.part
					}
					if j >= n {
						share *= r.odds
					}
					at := func(from int) float64 { return (1-r.part)*theta[from+first] + r.part*theta[from+first+1] }
					p := 1 / (1 + math.Exp(-at(0)-at(n)*r.odds))
					slope += r.weight * share * (r.points - p)
					curve += r.weight * share * share * p * (1 - p)
				}
			}
			theta[j] += slope / curve
			if j >= n {
				theta[j] = max(theta[j], leastSlope)
			}
			most = max(most, math.Abs(theta[j]-before))
		}
		if most < 1e-5 {
			break
		}
	}
	var f luzhanqi.Foretelling
	for i, ply := range knots {
		f = append(f, luzhanqi.Knot{Ply: ply, Bias: theta[i], Slope: theta[n+i]})
	}
	return f
}
