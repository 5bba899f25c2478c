// Command likelihood learns how the pieces of each rank usually move and where they are set up, from games
// of the levels of Luzhanqi against each other at 2,000 positions a move; levels that play otherwise make
// another table.
//
//	go run ./player/luzhanqi/train/likelihood --out player/luzhanqi/likelihood/habits.txt --games 400 --seed 1
//
// It is learned as a logistic regression is: given what the constraints allow and the makers of set-ups make likely,
// with these exact odds as a start, which rank fits what was counted. So what comes together (a piece that attacks
// also goes forward; a piece next to the flag stays) is not counted twice, which a product of P(move | rank) over the
// moves does: that was tried first, and its log-loss on games of strangers was worse than that of the constraints alone.
package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/alecthomas/kong"

	"luzhanqi/player/luzhanqi/likelihood"
)

type command struct {
	Out   string `required:"" type:"path" help:"File to write the table to." placeholder:"FILE"`
	Games int    `default:"400" help:"Games of each pairing of levels (default ${default})."`
	Nodes int    `default:"2000" help:"Positions a move of the levels that search (default ${default})."`
	Seed  uint64 `default:"1" help:"Seed of every random choice (default ${default})."`
	Skip  string `help:"Level and source of set-ups that it must not see." placeholder:"LEVEL"`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Learns how the pieces of each rank of Luzhanqi usually move and where they are set up."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

func (c *command) run(out io.Writer) error {
	r := rand.New(rand.NewPCG(c.Seed, 11))
	played, err := c.play()
	if err != nil {
		return err
	}
	var examples []example
	for _, g := range played {
		examples = g.examples(r, c.Skip, examples)
	}
	if len(examples) == 0 {
		return fmt.Errorf("%d games of each pairing show nothing", c.Games)
	}
	balance(examples)
	l := &learner{}
	l.learn(examples, r)
	n := float64(len(examples))
	fmt.Fprintf(out, "%d examples: constraints and makers %.4f nats, with likelihoods and squares %.4f\n", len(examples), l.before/n, l.loss/n)
	setUps := c.fitSetUps()
	events := [likelihood.EventRows][columns]float64(l.weights[:likelihood.EventRows])
	text, err := likelihood.Text(fmt.Sprintf("# Weights in hundredths of a nat by rank, 9 to 1, bomb, landmine, flag: a row for each of %d\n"+
		"# set-up squares, then the rows for events; made by\n"+
		"# go run ./player/luzhanqi/train/likelihood --out FILE --games %d --nodes %d --seed %d\n", likelihood.Folds, c.Games, c.Nodes, c.Seed), &setUps, &events)
	if err != nil {
		return fmt.Errorf("the table that was learned: %w", err)
	}
	return os.WriteFile(c.Out, []byte(text), 0o666)
}
