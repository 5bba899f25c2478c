package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/queue"
)

type workerCommand struct {
	URL         string `arg:"" help:"Where the queue is: nats://host:4222 of a tournament that listens, or the servers of a cluster, separated by commas."`
	TokenFile   string `help:"File with the token that the queue asks for. Everybody on this machine could read one on the command line." placeholder:"FILE" type:"existingfile"`
	Concurrency int    `short:"c" help:"Games at a time." default:"1"`
	Pin         string `help:"Processors of its own for each program: ${enum}." enum:"auto,on,off" default:"auto"`
}

func (w *workerCommand) Run(ctx context.Context, c *stdio) error {
	if w.Concurrency < 1 || w.Concurrency > tournament.MaxConcurrency {
		return usage(fmt.Errorf("--concurrency %d: allowed are 1 to %d", w.Concurrency, tournament.MaxConcurrency))
	}
	if err := plan.CheckURL(w.URL); err != nil {
		return usage(err)
	}
	token := ""
	if w.TokenFile != "" {
		text, err := os.ReadFile(w.TokenFile)
		if err != nil {
			return usage(err)
		}
		token = strings.TrimSpace(string(text))
	}
	fmt.Fprintf(c.out, "plays %s at a time for %s, until it is stopped\n", text.Count(w.Concurrency, "game"), queue.WithoutToken(w.URL))
	warn := func(s string) { c.log.Warn().Msg(s) }
	err := tournament.Work(ctx, tournament.Options{Queue: plan.Queue{URL: w.URL, Token: token}, Concurrency: w.Concurrency, Pin: plan.Pin(w.Pin), Warn: warn}, version())
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return usage(err)
}
