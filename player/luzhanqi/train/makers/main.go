// Command makers learns who sets up armies of Luzhanqi and how: for each maker how often landmines stand on all
// squares next to the flag, and, given that, how often each rank stands on each square.
//
//	go run ./player/luzhanqi/train/makers --out player/luzhanqi/likelihood/makers.txt --draws 20000 --seed 1
//
// Beside the makers whose set-ups are drawn there are two of whom nothing is known: one that guards its flag and
// sets up the rest anyhow, and one that does anything that the rules allow. Without them a stranger's
// army would be taken for one of ours. The set-ups of some more, who were tuned, were seen, but what their pieces do is
// a stranger's.
package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
)

type command struct {
	Out   string `required:"" type:"path" help:"File to write the makers to." placeholder:"FILE"`
	Draws int    `default:"20000" help:"Set-ups of each maker (default ${default})."`
	Seed  uint64 `default:"1" help:"Seed of every random choice (default ${default})."`
	Skip  string `help:"Maker whose set-ups it must not see." placeholder:"NAME"`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Learns who sets up armies of Luzhanqi and how."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

// maker is whose set-ups are drawn.
type maker struct {
	name  string
	share float64 // of all armies that one meets, beside the others, which is a guess
	draw  []func(*rand.Rand) rules.SetUp

	// kin says that its set-ups are alike wherever the flag is, which may have been moved while all else stayed, and that its pieces are
	// expected to do what strangers' do.
	kin bool
}

// The book is that by which the file was made: who meets the newest meets strong itself.
var makers = append([]maker{
	{"book", 0.22, []func(*rand.Rand) rules.SetUp{luzhanqi.FromBookF665184.Draw}, false},
	{"rows", 0.12, []func(*rand.Rand) rules.SetUp{luzhanqi.ByRows.Draw}, false},
	{"simple", 0.20, []func(*rand.Rand) rules.SetUp{luzhanqi.AsGreedy.Draw, luzhanqi.AsRush.Draw}, false},
	{"near", 0.075, []func(*rand.Rand) rules.SetUp{column(true)}, false},
	{"far", 0.075, []func(*rand.Rand) rules.SetUp{column(false)}, false},
}, tuned()...)

// strangers are makers of whom nothing was seen.
var strangers = []likelihood.Way{
	{Maker: "guard", Home: likelihood.Guarded, Share: 0.13},
	{Maker: "anybody", Home: likelihood.Open, Share: 0.22},
}

func (c *command) run(out io.Writer) error {
	ways := slices.Clone(strangers)
	for i, m := range makers {
		if m.name == c.Skip {
			continue
		}
		found, err := c.learn(m, rand.New(rand.NewPCG(c.Seed, uint64(i))))
		if err != nil {
			return fmt.Errorf("maker %s: %w", m.name, err)
		}
		for _, w := range found {
			fmt.Fprintf(out, "%-8s %-8v %.4f\n", w.Maker, w.Home, w.Share)
		}
		ways = append(ways, found...)
	}
	text, err := likelihood.MakersText(fmt.Sprintf("# Shares of who sets up armies and what stands next to the flag, on B1; below, weights in hundredths of a nat\n"+
		"# by rank, 9 to 1, bomb, landmine, flag, a row for each square from A1 to E6; made by\n"+
		"# go run ./player/luzhanqi/train/makers --out FILE --draws %d --seed %d\n", c.Draws, c.Seed), ways)
	if err != nil {
		return fmt.Errorf("the makers that were learned: %w", err)
	}
	return os.WriteFile(c.Out, []byte(text), 0o666)
}

// learn draws a maker's set-ups. Ways that it hardly ever has are left to the strangers.
func (c *command) learn(m maker, r *rand.Rand) (ways []likelihood.Way, err error) {
	const seldom = 0.03
	var seen [likelihood.Guarded + 1][hiddeninfo.Pieces][len(rules.Ranks)]float64
	var of [likelihood.Guarded + 1]float64
	for n := range c.Draws {
		s := m.draw[n%len(m.draw)](r)
		home, mirror := likelihood.HomeOf(s)
		if m.kin { // to mirror those whose flag was moved would tear it apart
			home, mirror = likelihood.Open, false
		}
		of[home]++
		for p, sq := range hiddeninfo.Homes {
			if mirror {
				sq = likelihood.Mirror(sq)
			}
			seen[home][p][slices.Index(rules.Ranks[:], s.At(sq))]++
		}
	}
	for home, n := range of {
		if n < seldom*float64(c.Draws) {
			continue
		}
		w := likelihood.Way{Maker: m.name, Home: likelihood.Home(home), Share: m.share * n / float64(c.Draws), Stranger: m.kin}
		if err := fit(&w, &seen[home], n); err != nil {
			return nil, err
		}
		ways = append(ways, w)
	}
	return ways, nil
}

// tied is the rank whose weights a rank shares: what pieces do does not tell the two apart, and ranks of equal
// weights make exact counting several times faster.
func tied(rank rules.Rank) rules.Rank {
	switch rank {
	case rules.BrigadierGeneral, rules.Major, rules.Lieutenant:
		return rank + 1
	}
	return rank
}

// fit finds the weights of which the exact odds are those that were seen, with a share of doubt for what was not:
// the set-ups of greatest entropy with these odds.
func fit(w *likelihood.Way, seen *[hiddeninfo.Pieces][len(rules.Ranks)]float64, n float64) error {
	const doubt, rounds = 0.1, 80
	masks := w.Home.Masks()
	for p := range masks {
		masks[p] &= ruled[p]
	}
	a := hiddeninfo.NewAssignments()
	if !a.Solve(&masks, nil) {
		return fmt.Errorf("no army has a home that is %v", w.Home)
	}
	goal := *a.By(0).Marginals()
	for p := range goal {
		for i, rank := range rules.Ranks {
			goal[p][rank] = doubt*goal[p][rank] + (1-doubt)*seen[p][i]/n
		}
		for _, rank := range rules.Ranks {
			if twin := tied(rank); twin != rank {
				mean := (goal[p][rank] + goal[p][twin]) / float64(rules.Count(rank)+rules.Count(twin))
				goal[p][rank], goal[p][twin] = mean*float64(rules.Count(rank)), mean*float64(rules.Count(twin))
			}
		}
	}
	weights := hiddeninfo.Uniform()
	for range rounds {
		if !a.Solve(&masks, weights) {
			return fmt.Errorf("no army has a home that is %v", w.Home)
		}
		odds := a.By(0).Marginals()
		for p := range weights {
			for _, rank := range rules.Ranks {
				if odds[p][rank] > 0 {
					weights[p][rank] *= goal[p][rank] / odds[p][rank]
				}
			}
		}
	}
	for p := range weights {
		greatest := 0.0
		for _, rank := range rules.Ranks {
			if masks[p].Has(rank) {
				greatest = max(greatest, weights[p][rank])
			}
		}
		for _, rank := range rules.Ranks {
			if masks[p].Has(rank) {
				w.Logs[p][rank] = math.Log(max(weights[p][rank]/greatest, 1e-4))
			}
		}
	}
	return nil
}

// ruled is what the rules of set-ups allow.
var ruled = func() (masks [hiddeninfo.Pieces]hiddeninfo.Mask) {
	s := rules.RandomSetUp(rand.New(rand.NewPCG(1, 1)))
	b := hiddeninfo.New(rules.NewView(0, s, false))
	for p := range masks {
		masks[p] = b.Known(hiddeninfo.Piece(p))
	}
	return masks
}()
