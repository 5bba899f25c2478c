// Command network trains the network that judges where the playouts of Luzhanqi end.
//
//	go run ./player/luzhanqi/train/network --out player/luzhanqi/network/newest.txt --seed 11
//
// It plays games of quick searches by hidden information from varied set-ups, some of them with random
// moves between, and fits the network to how they ended. One game in twenty is kept apart. The games are
// those of today's search, so a network does not come out the same after it changed.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/player/luzhanqi/network"
)

type command struct {
	Out    string  `required:"" type:"path" help:"File to write the network to." placeholder:"FILE"`
	Games  int     `default:"13961" help:"Games to learn from (default ${default})."`
	Nodes  int     `default:"1500" help:"Positions a move (default ${default})."`
	Rate   float64 `default:"0.004" help:"Learning rate (default ${default})."`
	Decay  float64 `default:"0.01" help:"Decay of weights (default ${default})."`
	Epochs int     `default:"5" help:"Epochs (default ${default})."`
	Seed   uint64  `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Trains the network that judges where the playouts of Luzhanqi end."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

func (c *command) run(out io.Writer) error {
	began := time.Now()
	var learning, held []sample
	for g, all := range c.play(out, began) {
		if g%20 == 0 {
			held = append(held, all...)
		} else {
			learning = append(learning, all...)
		}
	}
	if len(learning) == 0 || len(held) == 0 {
		return fmt.Errorf("--games %d: too few to learn from and to keep apart", c.Games)
	}
	fmt.Fprintf(out, "%d games, %d positions by two sides, %v\n", c.Games, (len(learning)+len(held))/2, time.Since(began).Round(time.Second))
	n, err := network.New(c.fit(out, learning, held).quantize())
	if err != nil {
		return fmt.Errorf("the network that was trained: %w", err)
	}
	header := fmt.Sprintf("The network of the leaves, made by\ngo run ./player/luzhanqi/train/network --out FILE --games %d --nodes %d --epochs %d --rate %v --decay %v --seed %d\n",
		c.Games, c.Nodes, c.Epochs, c.Rate, c.Decay, c.Seed)
	return os.WriteFile(c.Out, []byte(n.Text(header)), 0o666)
}

// play plays all games on all processors, and returns the positions of each.
func (c *command) play(out io.Writer, began time.Time) [][]sample {
	games := make([][]sample, c.Games)
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for g := range next {
				games[g] = selfPlay(c.Seed<<32+uint64(g), c.Nodes)
			}
		})
	}
	for g := range games {
		next <- g
		if g%1000 == 999 {
			fmt.Fprintf(out, "%d games, %v\n", g+1, time.Since(began).Round(time.Second))
		}
	}
	close(next)
	wg.Wait()
	return games
}
