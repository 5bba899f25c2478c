// Command network trains the network that judges where the playouts of Luzhanqi end.
//
//	go run ./player/luzhanqi/train/network --out player/luzhanqi/network/newest.txt --seed 21
//
// It plays games of quick searches against each other, in which some moves are made as in playouts, and fits the network to how they
// ended. One game in ten is kept apart, and the log-loss there is printed beside that of the handmade terms and of the network of f665184. The games are
// those of today's search, so a network does not come out the same after it changed.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/alecthomas/kong"
)

type command struct {
	Out    string  `type:"path" help:"File to write the network to; none: only say how good it is." placeholder:"FILE"`
	Note   string  `help:"What else the file is to say, such as the commit that it was made at." placeholder:"TEXT"`
	Games  int     `default:"12000" help:"Games to learn from (default ${default})."`
	Nodes  int     `default:"2000" help:"Positions a move (default ${default})."`
	Epochs int     `default:"4" help:"Epochs (default ${default})."`
	Rate   float64 `default:"0.01" help:"Learning rate of the first epoch (default ${default})."`
	Decay  float64 `default:"0.05" help:"Decay of weights (default ${default})."`
	Seed   uint64  `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Trains the network that judges where the playouts of Luzhanqi end."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

func (c *command) run(out io.Writer) error {
	if c.Games < 1 || c.Nodes < 1 || c.Epochs < 1 {
		return fmt.Errorf("--games %d, --nodes %d, --epochs %d: allowed are whole numbers from 1", c.Games, c.Nodes, c.Epochs)
	}
	began := time.Now()
	var learning, held []sample
	for g, all := range c.play(out, began) {
		if g%10 == 0 {
			held = append(held, all...)
		} else {
			learning = append(learning, all...)
		}
	}
	if len(learning) == 0 || len(held) == 0 {
		return fmt.Errorf("--games %d: too few to learn from and to keep apart", c.Games)
	}
	hand, older, n := 0.0, 0.0, float64(len(held))
	for i := range held {
		hand += crossEntropy(held[i].hand, held[i].points) / n
		older += crossEntropy(held[i].older, held[i].points) / n
	}
	fmt.Fprintf(out, "%d games, %d positions to learn from, %d kept apart, %v; there the handmade terms have %.4f nats a position, f665184 %.4f\n",
		c.Games, len(learning), len(held), time.Since(began).Round(time.Second), hand, older)
	made, loss := c.fit(out, learning, held, began)
	if c.Out == "" {
		return nil
	}
	header := fmt.Sprintf("The network of the leaves, made by\ngo run ./player/luzhanqi/train/network --out FILE --games %d --nodes %d --epochs %d --rate %v --decay %v --seed %d\n"+
		"%d positions; %.4f nats a position kept apart, by the handmade terms %.4f, by f665184 %.4f.\n",
		c.Games, c.Nodes, c.Epochs, c.Rate, c.Decay, c.Seed, len(learning), loss, hand, older)
	if c.Note != "" {
		header += c.Note + "\n"
	}
	return os.WriteFile(c.Out, []byte(made.Text(header)), 0o666)
}

// crossEntropy is of points and half the logit of winning.
func crossEntropy(v, points float32) float64 {
	p := 1 / (1 + math.Exp(float64(-2*v)))
	p = min(max(p, 1e-6), 1-1e-6)
	return -float64(points)*math.Log(p) - (1-float64(points))*math.Log(1-p)
}
