// Command tune learns the evaluation of Jungle: it plays games of strong against itself, and makes a logistic regression of their
// results on what the evaluation counts. Since drawn games count as half, what makes no progress is worth nothing.
//
//	go run ./player/jungle/tune --by textbook --games 12000 --seed 2 --out first.txt
//	go run ./player/jungle/tune --by textbook,first.txt --games 24000 --seed 3 --out learned.txt
//
// learns from games that are judged by hand, and then from as many others, and as many that are judged by what was learned.
package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	rules "luzhanqi/game/jungle"
	"luzhanqi/player/alphabeta"
	"luzhanqi/player/alphabeta/selfplay"
	"luzhanqi/player/jungle"
)

type command struct {
	Out    string   `required:"" type:"path" help:"File to write the weights to." placeholder:"FILE"`
	Games  int      `default:"12000" help:"Games to learn from (default ${default})."`
	Nodes  int      `default:"3000" help:"Positions a move (default ${default})."`
	Epochs int      `default:"6" help:"Times that each position is learned from (default ${default})."`
	By     []string `default:"textbook" help:"Evaluations, each of a part of the games: textbook, which was made by hand, or a file of weights (default ${default})." placeholder:"textbook|FILE,…"`
	Seed   uint64   `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Learns the evaluation of Jungle from games of strong against itself."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

// heldOut is which part of the games, one in so many, is not learned from.
const heldOut = 10

func (c *command) run(out io.Writer) error {
	if c.Epochs < 1 {
		return fmt.Errorf("--epochs %d: allowed are whole numbers from 1", c.Epochs)
	}
	searches, before, err := c.searches()
	if err != nil {
		return err
	}
	var games [][]selfplay.Position[seen]
	for n, search := range searches {
		some, err := selfplay.Play(selfplay.Series{
			Game: rules.Game{}, Search: search, Games: c.Games / len(searches), Nodes: c.Nodes, Seed: c.Seed + uint64(n)<<32, Opening: [2]int{0, 15}, Slips: []int{0, 3, 10},
		}, sample)
		if err != nil {
			return err
		}
		games = append(games, some...)
	}
	var learning, held []position
	drawn := 0
	for n, game := range games {
		for _, p := range game {
			x := position{p.Sample, float32(p.Result)}
			if n%heldOut == 0 {
				held = append(held, x)
			} else {
				learning = append(learning, x)
			}
		}
		if len(game) > 0 && game[0].Result == 0.5 {
			drawn++
		}
	}
	if len(learning) == 0 || len(held) == 0 {
		return errors.New("too few positions to learn from and to keep apart; give more --games")
	}
	fmt.Fprintf(out, "%d games, %d drawn, %d positions\n", len(games), drawn, len(learning)+len(held))
	weights := fit(out, learning, held, c.Epochs)
	l, err := rounded(weights)
	if err != nil {
		return err
	}
	header := fmt.Sprintf("go run ./player/jungle/tune --by %s --games %d --nodes %d --epochs %d --seed %d --out FILE\n%s", strings.Join(c.By, ","), c.Games, c.Nodes, c.Epochs, c.Seed, before)
	return os.WriteFile(c.Out, []byte(l.Text(header)), 0o666)
}

// searches are those that play, and what made their weights.
func (c *command) searches() (all []alphabeta.Game, before string, err error) {
	for _, by := range c.By {
		search := jungle.Search
		search.NewTree = search.Textbook
		if by != "textbook" {
			text, err := os.ReadFile(by)
			if err != nil {
				return nil, "", err
			}
			l, err := jungle.Read(string(text))
			if err != nil {
				return nil, "", fmt.Errorf("%s: %w", by, err)
			}
			search.NewTree = l.NewTree()
			for line := range strings.Lines(string(text)) {
				if made, ok := strings.CutPrefix(line, "# "); ok {
					before += "before: " + made
				}
			}
		}
		all = append(all, search)
	}
	return all, before, nil
}

// seen is a position as a side to move sees it.
type seen struct {
	board rules.Board
	turn  game.Side
}

// sample keeps every other position in which nothing can be taken.
func sample(v game.View, r *rand.Rand) (x seen, ok bool) {
	x = seen{v.(*rules.View).Board(), v.Side()}
	loud := x.board.Of(x.turn.Other()) | rules.Bit(rules.Den(x.turn.Other()))
	for _, m := range x.board.Moves(x.turn, nil) {
		if loud.Has(m.To) {
			return x, false
		}
	}
	return x, r.IntN(2) == 0
}
