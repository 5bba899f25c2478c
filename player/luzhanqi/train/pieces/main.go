// Command pieces learns what pieces of each rank do, from games of Luzhanqi (command games).
//
//	go run ./player/luzhanqi/train/pieces --games panel.gz,levels.gz --out player/luzhanqi/likelihood/ranks.txt
//
// It is learned as a logistic regression is: given what the constraints allow and the makers of set-ups make likely,
// with these exact odds as a start, which rank fits what was counted. So what comes together (a piece that attacks
// also goes forward; a piece next to the flag stays) is not counted twice, which a product of P(move | rank) over the
// moves does. One game in ten is kept apart, and the log-loss of its pieces printed by whose they are.
package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/train/gamefile"
)

type command struct {
	Games  []string `required:"" type:"path" help:"Files of games." placeholder:"FILE"`
	Out    string   `type:"path" help:"File to write the model to; none: only say how good it is." placeholder:"FILE"`
	Units  int      `default:"64" help:"Hidden units (default ${default})."`
	Every  int      `default:"40" help:"One of so many positions is learned from (default ${default})."`
	Epochs int      `default:"4" help:"Epochs (default ${default})."`
	Rate   float64  `default:"0.015" help:"Learning rate of the first epoch (default ${default})."`
	Skip   []string `help:"Players whose pieces it must not see." placeholder:"NAME"`
	Seed   uint64   `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Learns what pieces of each rank of Luzhanqi do."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

func (c *command) run(out io.Writer) error {
	if c.Units < 1 || c.Every < 1 || c.Epochs < 1 {
		return fmt.Errorf("--units %d, --every %d, --epochs %d: allowed are whole numbers from 1", c.Units, c.Every, c.Epochs)
	}
	began := time.Now()
	var games []gamefile.Game
	for _, path := range c.Games {
		more, err := gamefile.Read(path)
		if err != nil {
			return err
		}
		games = append(games, more...)
	}
	parts, err := c.examples(games)
	if err != nil {
		return err
	}
	var learning, held []example
	for i := range games {
		if games[i].Number%10 == 0 {
			held = append(held, parts[i]...)
			continue
		}
		for _, e := range parts[i] {
			if !slices.Contains(c.Skip, e.player) {
				learning = append(learning, e)
			}
		}
	}
	if len(learning) == 0 || len(held) == 0 {
		return fmt.Errorf("%d games: too few to learn from and to keep apart", len(games))
	}
	fmt.Fprintf(out, "%d games, %d pieces to learn from, %d kept apart, %v\n", len(games), len(learning), len(held), time.Since(began).Round(time.Second))
	r := rand.New(rand.NewPCG(c.Seed, 2))
	l := newLearner(c.Units, r)
	for epoch := range c.Epochs {
		r.Shuffle(len(learning), func(i, j int) { learning[i], learning[j] = learning[j], learning[i] })
		rate := float32(c.Rate * (1 - float64(epoch)/float64(c.Epochs)))
		for i := range learning {
			l.learn(&learning[i], rate)
		}
		all := l.judge(held)
		fmt.Fprintf(out, "epoch %d: %.4f nats a piece, by constraints and makers %.4f, %v\n", epoch+1, all[""].after/all[""].n, all[""].before/all[""].n,
			time.Since(began).Round(time.Second))
		if epoch == c.Epochs-1 {
			print(out, all)
		}
	}
	if c.Out == "" {
		return nil
	}
	m, err := likelihood.NewRankModel(l.hidden.w, l.out.w, l.direct.w)
	if err != nil {
		return fmt.Errorf("the model that was learned: %w", err)
	}
	var names []string
	for _, path := range c.Games {
		names = append(names, filepath.Base(path))
	}
	header := fmt.Sprintf("What pieces of each rank do, made by\ngo run ./player/luzhanqi/train/pieces --out FILE --games %s --units %d --every %d --epochs %d --rate %v --seed %d\n"+
		"from %d games, which the examples of player/luzhanqi/train/games play: %d pieces; %.4f nats a piece kept apart, by constraints and makers %.4f.\n",
		strings.Join(names, ","), c.Units, c.Every, c.Epochs, c.Rate, c.Seed, len(games), len(learning), l.judge(held)[""].after/float64(len(held)), l.judge(held)[""].before/float64(len(held)))
	return os.WriteFile(c.Out, []byte(m.Text(header)), 0o666)
}

// examples takes them from all games, on all processors; what comes does not depend on how many there are.
func (c *command) examples(games []gamefile.Game) ([][]example, error) {
	parts, errs := make([][]example, len(games)), make([]error, len(games))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				parts[i], errs[i] = examplesOf(&games[i], c.Every, rand.New(rand.NewPCG(c.Seed, uint64(i))))
			}
		})
	}
	for i := range games {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// loss is the sum of the nats of some pieces, by the odds that learning begins with and by what was learned.
type loss struct{ n, before, after float64 }

// judge returns the loss of each player's pieces, and by the empty name that of all.
func (l *learner) judge(all []example) map[string]loss {
	found := map[string]loss{}
	for i := range all {
		e := &all[i]
		p := l.odds(e)
		for _, name := range []string{"", e.player} {
			s := found[name]
			s.n++
			s.before -= math.Log(float64(e.odds[e.truth]))
			s.after -= math.Log(p[e.truth])
			found[name] = s
		}
	}
	return found
}

func print(out io.Writer, all map[string]loss) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "whose pieces\tkept apart\tby constraints and makers\tby the model\t\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		if name == "" {
			name = "everybody"
		}
		fmt.Fprintf(t, "%s\t%.0f\t%.4f\t%.4f\t%+.4f\n", name, s.n, s.before/s.n, s.after/s.n, (s.after-s.before)/s.n)
	}
	t.Flush()
}
