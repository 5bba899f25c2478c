package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi"
)

type frontCommand struct {
	Book   string `required:"" placeholder:"FILE" help:"Book whose set-ups are changed."`
	Copies int    `default:"4" help:"How often each of its set-ups is in the new one, each time changed anew (default ${default})."`
	Out    string `required:"" type:"path" placeholder:"FILE" help:"File to write the book to."`
	Seed   uint64 `default:"1" help:"Seed of every random choice (default ${default})."`
}

// mostCopies is more than a book has use for.
const mostCopies = 100

// place is a square that a rank is brought to in a share of the set-ups. The flag is on the left.
type place struct {
	name  string
	share float64
}

// brought are the places of ranks; in what is left of the shares a rank stays where it is. A6, C6 and E6 are the squares from which one crosses to the
// other side, and onto which one comes from there. Which of them matters little; that there is any doubt about it matters to who strikes first.
var brought = []struct {
	rank   rules.Rank
	places []place
}{
	{rules.FieldMarshal, []place{{"C6", 0.35}, {"A6", 0.25}}},
	{rules.General, []place{{"A6", 0.30}, {"E6", 0.30}, {"C6", 0.10}}},
	{rules.Bomb, []place{{"A5", 0.50}}},
}

// Run implements the command.
func (c *frontCommand) Run() error {
	if c.Copies < 1 || c.Copies > mostCopies {
		return fmt.Errorf("--copies %d: allowed are whole numbers from 1 to %d", c.Copies, mostCopies)
	}
	book, err := readBook(c.Book)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(c.Seed, 7))
	var all []rules.SetUp
	for _, s := range book {
		for range c.Copies {
			if changed := inFront(s, r); !slices.Contains(all, changed) {
				all = append(all, changed)
			}
		}
	}
	weights := make([]float64, len(all))
	for i := range weights {
		weights[i] = 1 / float64(len(all))
	}
	header := fmt.Sprintf("# weight, then the ranks of A1, B1, … E6 without the camps; made by\n"+
		"# go run ./player/luzhanqi/train/arrange front --book %s --copies %d --seed %d --out FILE\n", c.Book, c.Copies, c.Seed)
	return os.WriteFile(c.Out, []byte(header+luzhanqi.BookText(all, weights)), 0o666)
}

// inFront brings each rank to a place that is drawn, or to none. What stands there goes to where the rank was; whoever was brought stays.
func inFront(s rules.SetUp, r *rand.Rand) rules.SetUp {
	var taken rules.Squares
	for _, b := range brought {
		rest := r.Float64()
		from := standingAs(s, b.rank, r)
		for _, p := range b.places {
			if rest -= p.share; rest >= 0 {
				continue
			}
			to, err := rules.ParseSquare(p.name)
			if err != nil {
				panic(err) // they are written above
			}
			if !taken.Has(to) {
				s = swapped(s, from, to)
			}
			if s.At(to) == b.rank {
				taken |= rules.Bit(to)
			}
			break
		}
	}
	return s
}

// standingAs is the square of one of the pieces of a rank.
func standingAs(s rules.SetUp, rank rules.Rank, r *rand.Rand) game.Square {
	var all []game.Square
	for sq := range standing.All() {
		if s.At(sq) == rank {
			all = append(all, sq)
		}
	}
	return all[r.IntN(len(all))]
}

// swapped lets the pieces of two squares change places, if that is legal.
func swapped(s rules.SetUp, a, b game.Square) rules.SetUp {
	var ranks [squares]rules.Rank
	for sq := range ranks {
		ranks[sq] = s.At(game.Square(sq))
	}
	ranks[a], ranks[b] = ranks[b], ranks[a]
	if next, err := rules.NewSetUp(ranks); err == nil {
		return next
	}
	return s
}
