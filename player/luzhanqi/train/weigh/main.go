// Command weigh weighs the set-ups of a book anew, by how they withstand rushers.
//
//	go run ./player/luzhanqi/train/weigh --book player/luzhanqi/setups-f665184.txt --out player/luzhanqi/setups.txt --games 24 --seed 2
//
// The book was evolved in games of the quick policy, which attacks whatever it can, from everywhere. A rusher comes down one edge, and what
// matters then is who stands in front there when it is the flag's, and that he does not stand on the other. The level strong plays each
// set-up against rushers that are drawn ([stranger.DrawnRusher]), the same for all. What a single set-up scores in so few games
// is luck; but that the scores depend on the front can be told. So weights follow the line through the scores of all.
package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/stranger"
	"luzhanqi/player/luzhanqi/tables"
)

type command struct {
	Book  string  `required:"" help:"Book to weigh." placeholder:"FILE"`
	Out   string  `required:"" type:"path" help:"File to write it to." placeholder:"FILE"`
	Games int     `default:"24" help:"Games with each set-up, a multiple of 8 (default ${default})."`
	Nodes int     `default:"6000" help:"Positions a move of strong (default ${default})."`
	Sure  float64 `default:"150" help:"How much a score counts: the weight is e to the power of this many times it (default ${default})."`
	Seed  uint64  `default:"1" help:"Seed of every random choice (default ${default})."`
}

// mostSure is more than anybody could want: nearly all games with the set-ups of the best front.
const mostSure = 10_000

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Weighs a book of set-ups of Luzhanqi by games."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

func (c *command) run(out io.Writer) error {
	if c.Games < 8 || c.Games%8 != 0 || c.Nodes < 1 || !(c.Sure >= 0 && c.Sure <= mostSure) {
		return fmt.Errorf("--games %d, --nodes %d, --sure %v: allowed are multiples of 8, whole numbers from 1, and numbers from 0 to %d", c.Games, c.Nodes, c.Sure, mostSure)
	}
	text, err := os.ReadFile(c.Book)
	if err != nil {
		return err
	}
	book, err := luzhanqi.SetUpsOf(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", c.Book, err)
	}
	scores, err := c.scores(book)
	if err != nil {
		return err
	}
	fronts := make([]float64, len(book))
	for i, s := range book {
		fronts[i] = front(s)
	}
	l := fit(fronts, scores)
	weights := l.weights(fronts, c.Sure)
	weighed := 0.0
	for i, w := range weights {
		weighed += w * scores[i]
	}
	fmt.Fprintf(out, "%d games with each of %d set-ups: %.1f %% on average; %+.2f ± %.2f points of a hundred by what the front of the flag's side has more; weighed %.1f %%\n",
		c.Games, len(book), 100*l.mean, 100*l.slope, 100*1.96*l.err, 100*weighed)
	header := fmt.Sprintf("# weight, then the ranks of A1, B1, … E6 without the camps; made by\n"+
		"# go run ./player/luzhanqi/train/weigh --book %s --out FILE --games %d --nodes %d --sure %v --seed %d\n",
		c.Book, c.Games, c.Nodes, c.Sure, c.Seed)
	written := header + luzhanqi.BookText(book, weights)
	if _, err := luzhanqi.SetUpsOf(written); err != nil {
		return fmt.Errorf("the book that was weighed: %w", err)
	}
	return os.WriteFile(c.Out, []byte(written), 0o666)
}

// scores are the mean points of the games of each set-up, on all processors; they do not depend on how many there are.
func (c *command) scores(book []rules.SetUp) ([]float64, error) {
	scores, errs := make([]float64, len(book)), make([]error, len(book))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				for n := range c.Games {
					points, err := c.play(book[i], n)
					if err != nil {
						errs[i] = fmt.Errorf("set-up %d, game %d: %w", i, n, err)
						break
					}
					scores[i] += points / float64(c.Games)
				}
			}
		})
	}
	for i := range book {
		next <- i
	}
	close(next)
	workers.Wait()
	return scores, cmp.Or(errs...)
}

// play plays the game of a number with a set-up, and returns its points. Both games of a pair are against the same rusher, in both seats.
func (c *command) play(own rules.SetUp, n int) (points float64, err error) {
	strong, err := levels.Find(rules.Game{}, "strong")
	if err != nil {
		return 0, err
	}
	rusher := stranger.DrawnRusher(rand.New(rand.NewPCG(c.Seed, uint64(n/2)<<1)))
	seat := game.Side(n & 1)
	var players [2]player.Player
	players[seat], players[seat.Other()] = strong.New(rules.Game{}, player.Options{Nodes: c.Nodes, Threads: 1}), stranger.New(&rusher)
	var setUps [2]rules.SetUp
	setUps[seat], setUps[seat.Other()] = own, rusher.SetUps[0].SetUp
	if n/4%2 == 1 { // one pair of two: rushers come down either edge
		setUps[seat.Other()] = rusher.SetUps[0].Mirrored().SetUp
	}
	random := [2]*rand.Rand{rand.New(rand.NewPCG(c.Seed, uint64(n)<<2|1)), rand.New(rand.NewPCG(c.Seed, uint64(n)<<2|3))}
	p := rules.NewPosition(setUps[0], setUps[1], false)
	const longest = 800 // plies, after which nobody rushes any more
	for p.Ply() < longest {
		if o, over := p.Outcome(); over {
			return o.Points(seat), nil
		}
		side := p.Mover()
		m := players[side].Choose(p.View(side), time.Now().Add(time.Hour), random[side])
		if err := p.Check(m); err != nil {
			return 0, err
		}
		p = p.Play(m).(*rules.Position)
	}
	return 0.5, nil
}

// front is by how much the piece in front on the edge of the flag's side is worth more than the one on the other edge, a field marshal
// being worth 10.
func front(s rules.SetUp) float64 {
	left, right := game.Square(5*tables.Columns), game.Square(6*tables.Columns-1)
	x := float64(luzhanqi.Worth(s.At(left))-luzhanqi.Worth(s.At(right))) / 100
	for sq := range game.Square(tables.Columns) {
		if s.At(sq) == rules.Flag && sq > tables.Columns/2 {
			return -x
		}
	}
	return x
}

// line is that through the scores: the mean of both, and the slope with its standard error.
type line struct{ middle, mean, slope, err float64 }

func fit(x, y []float64) (l line) {
	n := float64(len(x))
	for i := range x {
		l.middle, l.mean = l.middle+x[i]/n, l.mean+y[i]/n
	}
	both, square := 0.0, 0.0
	for i := range x {
		both += (x[i] - l.middle) * (y[i] - l.mean)
		square += (x[i] - l.middle) * (x[i] - l.middle)
	}
	if square == 0 {
		return l
	}
	l.slope = both / square
	left := 0.0
	for i := range x {
		r := y[i] - l.mean - l.slope*(x[i]-l.middle)
		left += r * r
	}
	l.err = math.Sqrt(left / max(n-2, 1) / square)
	return l
}

// weights grow with the front as the line does, and add up to 1.
func (l *line) weights(fronts []float64, sure float64) []float64 {
	weights, total := make([]float64, len(fronts)), 0.0
	for i, x := range fronts {
		weights[i] = math.Exp(sure * l.slope * (x - l.middle))
		total += weights[i]
	}
	for i := range weights {
		weights[i] /= total
	}
	return weights
}
