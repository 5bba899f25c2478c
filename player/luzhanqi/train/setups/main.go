// Command setups evolves the book of set-ups from which the level strong of Luzhanqi draws.
//
//	go run ./player/luzhanqi/train/setups --out player/luzhanqi/setups-newest.txt --for 5m --seed 1
//
// Each set-up of the book climbs by itself from another start, so that the book stays varied: pieces change
// places, and the change stays if it scores better in the same games against the same opponents, which are
// the other members, set-ups made without any evolution, and rushers. The weights with which they are
// drawn mix an equilibrium of their payoffs with even shares.
package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

type command struct {
	Out         string        `required:"" type:"path" help:"File to write the book to." placeholder:"FILE"`
	For         time.Duration `default:"5m" help:"How long to evolve, unless generations are counted (default ${default})."`
	Generations int           `placeholder:"N" help:"How many generations to evolve, whatever time they take: makes a book again."`
	Size        int           `default:"200" help:"Set-ups in the book (default ${default})."`
	Mines       int           `default:"3" help:"Landmines at least next to the flag (default ${default})."`
	Seed        uint64        `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Evolves the book of set-ups of Luzhanqi."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

func (c *command) run(out io.Writer) error {
	r := rand.New(rand.NewPCG(c.Seed, 3))
	a := &evolution{Arena: luzhanqi.NewArena(), mines: c.Mines}
	var members, strangers []rules.SetUp
	for range c.Size {
		members = append(members, luzhanqi.ByRows.Draw(r))
		strangers = append(strangers, luzhanqi.ByRows.Draw(r), luzhanqi.AsRush.Draw(r))
	}
	mean := func() float64 {
		total := 0.0
		for _, s := range members {
			total += a.score(s, strangers, 100, 99)
		}
		return total / float64(c.Size)
	}
	fmt.Fprintf(out, "at the start %.4f against strangers\n", mean())
	generations := 0
	more := func(end time.Time) bool {
		if c.Generations > 0 {
			return generations < c.Generations
		}
		return time.Now().Before(end)
	}
	for end := time.Now().Add(c.For); more(end); generations++ {
		pool := append(slices.Clone(members), strangers...)
		for i, s := range members {
			const games = 120
			seed := r.Uint64()
			changed := a.mutate(s, r)
			if a.score(changed, pool, games, seed) > a.score(s, pool, games, seed)+0.01 {
				members[i] = changed
			}
		}
	}
	fmt.Fprintf(out, "after %d generations %.4f\n", generations, mean())
	header := fmt.Sprintf("# weight, then the ranks of A1, B1, … E6 without the camps; made by\n"+
		"# go run ./player/luzhanqi/train/setups --out FILE --generations %d --size %d --mines %d --seed %d\n",
		generations, c.Size, c.Mines, c.Seed)
	text := header + luzhanqi.BookText(members, a.equilibrium(members, c.Seed))
	if _, err := luzhanqi.ReadBook(text); err != nil {
		return fmt.Errorf("the book that was evolved: %w", err)
	}
	return os.WriteFile(c.Out, []byte(text), 0o666)
}

// evolution changes set-ups and judges the changes.
type evolution struct {
	*luzhanqi.Arena
	mines int
}

// score is the mean against opponents drawn by the seed, every other one of which rushes.
func (a *evolution) score(s rules.SetUp, pool []rules.SetUp, games int, seed uint64) float64 {
	r := rand.New(rand.NewPCG(seed, 5))
	total := 0.0
	for n := range games {
		total += a.Play(s, pool[r.IntN(len(pool))], [2]bool{false, n%2 == 1}, r.Uint64())
	}
	return total / float64(games)
}

// mutate exchanges two pieces, sometimes four; the flag keeps its shelter.
func (a *evolution) mutate(s rules.SetUp, r *rand.Rand) rules.SetUp {
	for {
		var ranks [30]rules.Rank
		for sq := range ranks {
			ranks[sq] = s.At(game.Square(sq))
		}
		for range 1 + r.IntN(2) {
			i, j := r.IntN(30), r.IntN(30)
			if ranks[i] != rules.None && ranks[j] != rules.None {
				ranks[i], ranks[j] = ranks[j], ranks[i]
			}
		}
		if next, err := rules.NewSetUp(ranks); err == nil && next != s && gatesMined(next) >= a.mines {
			return next
		}
	}
}

// gatesMined is how many squares next to the flag hold a landmine.
func gatesMined(s rules.SetUp) (mined int) {
	for sq := range game.Square(30) {
		if s.At(sq) != rules.Flag {
			continue
		}
		for gate := range tables.Paths[sq].Attackers.All() {
			if s.At(gate) == rules.Landmine {
				mined++
			}
		}
	}
	return mined
}

// equilibrium mixes the members so that no other mix of them does much better (multiplicative
// weights on the matrix of payoffs). Half of every weight is its even share, since the payoffs are
// measured with noise and a mix that is spread out tells a stranger less.
func (a *evolution) equilibrium(members []rules.SetUp, seed uint64) []float64 {
	n := len(members)
	payoff := make([][]float64, n)
	for i := range payoff {
		payoff[i] = make([]float64, n)
	}
	const games = 6
	for i := range n {
		for j := range i {
			for g := range uint64(games) {
				x := a.Play(members[i], members[j], [2]bool{}, seed^g^uint64(i*n+j)<<8) - 0.5
				payoff[i][j] += x / games
				payoff[j][i] -= x / games
			}
		}
	}
	weight, mean := make([]float64, n), make([]float64, n)
	for i := range weight {
		weight[i] = 1 / float64(n)
	}
	const rounds = 2000
	for range rounds {
		total := 0.0
		next := make([]float64, n)
		for i := range n {
			gain := 0.0
			for j := range n {
				gain += payoff[i][j] * weight[j]
			}
			next[i] = weight[i] * math.Exp(0.1*gain)
			total += next[i]
		}
		for i := range n {
			weight[i] = next[i] / total
			mean[i] += weight[i] / rounds
		}
	}
	for i := range mean {
		mean[i] = mean[i]/2 + 0.5/float64(n)
	}
	return mean
}
