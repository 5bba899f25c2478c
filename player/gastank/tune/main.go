// Command tune fits the weights of the evaluation of GasTank chess: it plays games of strong against itself, and
// makes a logistic regression of their results on what the evaluation counts. It prints the weights, which
// are then written into player/gastank/evaluation.go by hand.
//
//	go run ./player/gastank/tune --games 4000 --nodes 4000
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
)

type command struct {
	Games int    `default:"4000" help:"Games to tune by (default ${default})."`
	Nodes int    `default:"4000" help:"Positions a move (default ${default})."`
	Seed  uint64 `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Fits the weights of the evaluation of GasTank chess to games of strong against itself."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

func (c *command) run(out io.Writer) error {
	positions, err := c.play()
	if err != nil {
		return err
	}
	if len(positions) < 10 {
		return errors.New("too few positions to learn from; give more --games")
	}
	names, now := evaluated()
	scale := bestScale(positions, now)
	train, test := positions[:len(positions)*9/10], positions[len(positions)*9/10:]
	fmt.Fprintf(out, "%d positions; with the weights as they are: scale %.0f, loss %.4f, of the last tenth %.4f\n", len(positions), scale, logLoss(train, now, scale), logLoss(test, now, scale))
	weights := regress(train, now, scale)
	fmt.Fprintf(out, "tuned: loss %.4f, of the last tenth %.4f\n", logLoss(train, weights, scale), logLoss(test, weights, scale))
	for i, name := range names {
		fmt.Fprintf(out, "%-12s %7.1f, was %5.0f\n", name, weights[i], now[i])
	}
	return nil
}
