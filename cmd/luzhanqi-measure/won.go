package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/tournament/rating"
)

// wonCommand measures how many won positions a player wins. Of every third position of a game, it is the first in which a
// longer search proves a win for the mover; from there the player has the mover's side, and the longer search defends.
type wonCommand struct {
	Player string `arg:"" help:"GAME:PLAYER, as match names them, of a game of open positions."`

	Judge     string `default:"strong@100000" help:"Search that proves wins and defends (default ${default})."`
	From      string `default:"greedy%60" help:"Player whose games against itself lead to the positions (default ${default})."`
	Positions int    `short:"n" default:"100" help:"Won positions (default ${default})."`
	Nodes     int    `default:"30000" help:"Positions a move for players that would use the time (default ${default})."`
	Opening   int    `default:"2" help:"Random moves at the start of a game (default ${default})."`
	Seed      uint64 `default:"1" help:"Seed of every random choice (default ${default})."`
}

// provable are the games in which positions can be proven won.
var provable = []string{"jungle", "gastank", "quagmire"}

// askedEvery is after how many plies the judge is asked again: at either side's turn, and not of many drawn positions that are much alike.
const askedEvery = 3

// mostFruitless is after how many games without a proven win there is no use in going on.
const mostFruitless = 100

// Run implements the command.
func (c *wonCommand) Run(out io.Writer) error {
	name, who, ok := strings.Cut(c.Player, ":")
	if !ok {
		return fmt.Errorf("%q: must be GAME:PLAYER", c.Player)
	}
	if c.Positions < 1 || c.Nodes < 1 || c.Opening < 0 {
		return fmt.Errorf("--positions %d, --nodes %d, --opening %d: allowed are whole numbers from 1, from 1 and from 0", c.Positions, c.Nodes, c.Opening)
	}
	g, err := games.Find(name)
	if err != nil {
		return err
	}
	for _, p := range []string{who, c.Judge, c.From} {
		if _, err := find(g, p, player.Options{Nodes: c.Nodes, Threads: 1}); err != nil {
			return err
		}
	}
	if !slices.Contains(provable, name) {
		return fmt.Errorf("%q: allowed are the games of open positions whose search proves wins: %s", name, strings.Join(provable, ", "))
	}
	if p, _ := find(g, c.Judge, player.Options{}); !explains(p) {
		return fmt.Errorf("--judge %s: must be a search, which says when it has proven a win", c.Judge)
	}
	var all wonPositions
	fruitless := 0
	for n := 0; all.total().Total() < c.Positions; n++ {
		p, promised, err := c.proven(g, n)
		if err != nil {
			return err
		}
		if promised == 0 {
			if fruitless++; fruitless == mostFruitless {
				return fmt.Errorf("%d games of %s in a row without a win that %s could prove: try another --from", mostFruitless, c.From, c.Judge)
			}
			continue
		}
		fruitless = 0
		if err := c.win(g, p, who, n, promised, &all); err != nil {
			return err
		}
	}
	return all.print(out)
}

func explains(p player.Player) bool {
	_, ok := p.(player.Explainer)
	return ok
}

// proven plays a game up to the first position that the judge proves won for the mover, and says within how many plies; zero: none was.
func (c *wonCommand) proven(g game.Game, n int) (p game.Position, promised int, err error) {
	random := rand.New(rand.NewPCG(c.Seed, uint64(n)<<1))
	m := matchCommand{Seed: c.Seed, openings: openings{Opening: c.Opening}}
	if p, err = m.begin(g, [2]player.Player{}, 2*n); err != nil {
		return nil, 0, err
	}
	var from [2]player.Player
	for side := range from {
		from[side] = c.find(g, c.From)
	}
	limit := g.Limits().MaxPlies
	for limit == 0 || p.Ply() < limit {
		if _, over := p.Outcome(); over {
			break
		}
		view := p.View(p.Mover())
		if p.Ply()%askedEvery == 0 {
			judge := c.find(g, c.Judge)
			judge.Choose(view, time.Now().Add(time.Hour), rand.New(rand.NewPCG(c.Seed, uint64(p.Ply()))))
			if e, ok := judge.(player.Explainer).Explain(); ok && e.Wins > 0 {
				return p, e.Wins, nil
			}
		}
		p = p.Play(from[p.Mover()].Choose(view, time.Now().Add(time.Hour), random))
	}
	return p, 0, nil
}

// find makes a player that was found before.
func (c *wonCommand) find(g game.Game, name string) player.Player {
	p, err := find(g, name, player.Options{Nodes: c.Nodes, Threads: 1})
	if err != nil {
		panic(err)
	}
	return p
}

// win plays a won position to the end.
func (c *wonCommand) win(g game.Game, p game.Position, who string, n, promised int, all *wonPositions) error {
	side, begin := p.Mover(), p.Ply()
	var players [2]player.Player
	players[side], players[side.Other()] = c.find(g, who), c.find(g, c.Judge)
	random := rand.New(rand.NewPCG(c.Seed, uint64(n)<<1|1))
	outcome, plies, err := playOn(g, p, players, [2]*rand.Rand{random, random}, time.Hour)
	if err != nil {
		return err
	}
	all.add(promised, plies-begin, outcome, side)
	return nil
}

// wonPositions are what became of won positions, by the plies within which the win was proven.
type wonPositions [len(wonWithin) + 1]struct {
	games rating.Games
	later int // won, but after more plies than were proven
}

// wonWithin are the most plies of each group but the last.
var wonWithin = [...]int{3, 5, 7, 9, 13}

func (w *wonPositions) add(promised, plies int, o game.Outcome, side game.Side) {
	i := 0
	for i < len(wonWithin) && promised > wonWithin[i] {
		i++
	}
	of := &w[i]
	switch {
	case o.Draw:
		of.games.Draws++
	case o.Winner != side:
		of.games.Losses++
	default:
		of.games.Wins++
		if plies > promised {
			of.later++
		}
	}
}

func (w *wonPositions) total() (all rating.Games) {
	for _, of := range w {
		all.Wins, all.Draws, all.Losses = all.Wins+of.games.Wins, all.Draws+of.games.Draws, all.Losses+of.games.Losses
	}
	return all
}

func (w *wonPositions) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "won within plies\tpositions\twon\tdrawn\tlost\twon later than proven")
	from, later := 1, 0
	for i, of := range w {
		name := fmt.Sprintf("%d on", from)
		if i < len(wonWithin) {
			name = fmt.Sprintf("%d to %d", from, wonWithin[i])
			from = wonWithin[i] + 1
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\n", name, of.games.Total(), of.games.Wins, of.games.Draws, of.games.Losses, of.later)
		later += of.later
	}
	all := w.total()
	share := rating.NewEstimate(rating.Games{Wins: all.Wins, Losses: all.Total() - all.Wins}).Score
	fmt.Fprintf(t, "all\t%d\t%d\t%d\t%d\t%d\t%.1f ± %.1f %% won\n", all.Total(), all.Wins, all.Draws, all.Losses, later, 100*share.Value, 100*share.Error())
	return t.Flush()
}
