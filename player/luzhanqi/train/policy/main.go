// Command policy learns what the moves of Luzhanqi's playouts are drawn by, from playouts alone.
//
//	go run ./player/luzhanqi/train/games --out games.gz --games 800 --seed 5
//	go run ./player/luzhanqi/train/policy --games games.gz --out player/luzhanqi/policy/playouts.txt
//
// From positions of these games, in worlds that a search would draw, both sides play on by the policy; what does better than other
// playouts from the same start becomes likelier (luzhanqi.PolicyTrainer). One game in ten is kept apart: from its positions the policy plays
// against the quick one, by which playouts chose before. The same games and flags make the same file, on any number of processors; the games are
// those of today's search.
package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/policy"
	"luzhanqi/player/luzhanqi/train/gamefile"
)

type command struct {
	Games   string  `required:"" type:"path" help:"File of games, from whose positions playouts begin." placeholder:"FILE"`
	Out     string  `type:"path" help:"File to write the policy to; none: only say how good it is." placeholder:"FILE"`
	Each    int     `default:"5" help:"Positions of each game (default ${default})."`
	Worlds  int     `default:"16" help:"Worlds of each position (default ${default})."`
	Steps   int     `default:"40000" help:"Steps of learning (default ${default})."`
	Groups  int     `default:"32" help:"Groups of eight playouts in a step (default ${default})."`
	Horizon int     `default:"30" help:"Plies of a playout, in the mean (default ${default})."`
	Entropy float64 `default:"0.002" help:"What a nat of entropy is worth, in wins (default ${default})."`
	Rate    float64 `default:"0.02" help:"Nats by which a step changes a weight, about, which falls to none in the second half (default ${default})."`
	Sharp   float64 `default:"2" help:"What the weights are multiplied by at the end (default ${default})."`
	Seed    uint64  `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Learns what the moves of Luzhanqi's playouts are drawn by."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

// workers share a step, so many whatever the machine: sums depend on their order.
const workers = 4

func (c *command) run(out io.Writer) error {
	if c.Each < 1 || c.Worlds < 1 || c.Steps < 1 || c.Groups < workers || c.Horizon < 2 {
		return fmt.Errorf("--each %d, --worlds %d, --steps %d, --groups %d, --horizon %d: allowed are whole numbers from 1, 1, 1, %d and 2",
			c.Each, c.Worlds, c.Steps, c.Groups, c.Horizon, workers)
	}
	began := time.Now()
	games, err := gamefile.Read(c.Games)
	if err != nil {
		return err
	}
	var learning, held luzhanqi.PolicyTrainer
	n := [2]int{}
	for i := range games {
		into, kind := &learning, 0
		if games[i].Number%10 == 0 {
			into, kind = &held, 1
		}
		added, err := c.add(into, &games[i])
		if err != nil {
			return err
		}
		n[kind] += added
	}
	if n[0] == 0 || n[1] == 0 {
		return fmt.Errorf("%s: %d games: too few to learn from and to keep apart", c.Games, len(games))
	}
	fmt.Fprintf(out, "%d games, %d positions to learn from, %d kept apart, %v\n", len(games), n[0], n[1], time.Since(began).Round(time.Second))
	header := fmt.Sprintf("The policy of playouts, in nats; made by\n"+
		"go run ./player/luzhanqi/train/policy --out FILE --games %s --each %d --worlds %d --steps %d --groups %d --horizon %d --entropy %v --rate %v --sharp %v --seed %d\n",
		filepath.Base(c.Games), c.Each, c.Worlds, c.Steps, c.Groups, c.Horizon, c.Entropy, c.Rate, c.Sharp, c.Seed)
	text := c.learn(out, &learning, began).Text(header)
	weights, err := policy.Read(text) // what is measured is what is written
	if err != nil {
		return fmt.Errorf("the policy that was learned: %w", err)
	}
	for _, plies := range []int{20, 300} {
		gains, deviation := held.Duel(policy.New(weights), plies, c.Seed)
		fmt.Fprintf(out, "against the quick policy, %d plies from positions kept apart: %+.3f ± %.3f\n", plies, gains, 1.96*deviation)
	}
	if c.Out == "" {
		return nil
	}
	return os.WriteFile(c.Out, []byte(text), 0o666)
}

// add adds positions of a game, drawn from those in which a side has a choice and something has happened.
func (c *command) add(to *luzhanqi.PolicyTrainer, g *gamefile.Game) (added int, err error) {
	r := rand.New(rand.NewPCG(c.Seed, uint64(g.Number)))
	var views []*rules.View
	seen := 0
	_, err = g.Replay(func(p *rules.Position, _ game.Move) {
		if p.Ply() < 2 || len(p.Moves(nil)) < 2 {
			return
		}
		// Each is as likely to be among those that stay.
		if seen++; len(views) < c.Each {
			views = append(views, p.View(p.Mover()).(*rules.View))
		} else if i := r.IntN(seen); i < c.Each {
			views[i] = p.View(p.Mover()).(*rules.View)
		}
	})
	for _, v := range views {
		to.Add(v, c.Worlds, r.Uint64())
	}
	return len(views), err
}

// The moments of Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015), by which each weight has its own rate.
const (
	keepFirst  = 0.9
	keepSecond = 0.999
	least      = 1e-3
	decay      = 0.02
)

func (c *command) learn(out io.Writer, from *luzhanqi.PolicyTrainer, began time.Time) *policy.Weights {
	w := &policy.Weights{}
	var first, second [policy.Inputs]float64
	var all luzhanqi.PolicyGradient
	for step := range c.Steps {
		var sums [workers]*luzhanqi.PolicyGradient
		var g sync.WaitGroup
		for i := range sums {
			g.Go(func() { sums[i] = from.Learn(w, c.Groups/workers, c.Horizon, c.Entropy, c.Seed<<32+uint64(step), i) })
		}
		g.Wait()
		rate := c.Rate * min(1, 2*(1-float64(step)/float64(c.Steps)))
		corrected := 1 - math.Pow(keepSecond, float64(step+1))
		for n := range w {
			slope := -decay * float64(w[n])
			for _, l := range sums {
				slope += l.Gradient[n]
			}
			first[n] = keepFirst*first[n] + (1-keepFirst)*slope
			second[n] = keepSecond*second[n] + (1-keepSecond)*slope*slope
			w[n] += float32(rate * first[n] / (math.Sqrt(second[n]/corrected) + least))
		}
		for _, l := range sums {
			all.Entropy, all.Plies = all.Entropy+l.Entropy, all.Plies+l.Plies
			all.Value, all.Playouts = all.Value+l.Value, all.Playouts+l.Playouts
		}
		if step%1000 == 999 || step == c.Steps-1 {
			fmt.Fprintf(out, "step %d: entropy %.3f nats, a playout returns %+.3f to who begins, %v\n",
				step+1, all.Entropy/float64(all.Plies), all.Value/float64(all.Playouts), time.Since(began).Round(time.Second))
			all = luzhanqi.PolicyGradient{}
		}
	}
	for n := range w {
		w[n] *= float32(c.Sharp)
	}
	return w
}
