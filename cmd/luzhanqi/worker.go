package main

import (
	"context"
	"fmt"
	"strings"

	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/queue"
)

type workerCommand struct {
	URL         string `arg:"" help:"Where the queue is: nats://host:4222 of a tournament that listens, or the servers of a cluster, separated by commas."`
	TokenFile   string `help:"File with the token that the queue asks for, or NAME:PASSWORD of a cluster of your own; of mode 600." placeholder:"FILE" type:"existingfile"`
	Concurrency int    `short:"c" help:"Games at a time." default:"1"`
	UntilDone   bool   `help:"Leave when the tournament is over. Also if none is found any more for 5 s, none at all for 5 minutes, or the queue is gone for 30 s."`
	sandboxFlags
	Pin string `help:"Processors of its own for each program: ${enum}." enum:"auto,on,off" default:"auto"`
}

func (w *workerCommand) Run(ctx context.Context, c *stdio) error {
	if w.Concurrency < 1 || w.Concurrency > tournament.MaxConcurrency {
		return usage(fmt.Errorf("--concurrency %d: allowed are 1 to %d", w.Concurrency, tournament.MaxConcurrency))
	}
	if err := plan.CheckURL(w.URL); err != nil {
		return usage(err)
	}
	if strings.Contains(w.URL, "@") {
		return usage(fmt.Errorf("%s: found a token or a password before the @, which everybody on this machine can read on a command line, the programs that play included; write it into a file of mode 600 and give --token-file", queue.WithoutToken(w.URL)))
	}
	o := tournament.Options{Queue: plan.Queue{URL: w.URL, TokenFile: w.TokenFile}, Concurrency: w.Concurrency, Pin: plan.Pin(w.Pin), UntilDone: w.UntilDone}
	if w.TokenFile != "" {
		if _, err := queue.ReadToken(w.TokenFile); err != nil {
			return usage(err)
		}
	}
	var err error
	o.Total = w.totalMemory()
	if o.Sandbox, err = w.policy(c, o.Secrets()...); err != nil {
		return usage(err)
	}
	c.loud(w.Concurrency)
	until := "it is stopped"
	if w.UntilDone {
		until = "all is done"
	}
	fmt.Fprintf(c.out, "plays %s at a time for %s, until %s\n", text.Count(w.Concurrency, "game"), w.URL, until)
	o.Warn = func(s string) { c.log.Warn().Msg(s) }
	done, err := tournament.Work(ctx, o, version())
	if done.Given.Mattered() {
		fmt.Fprintln(c.out, done.Given.Said())
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		fmt.Fprintf(c.out, "all is done: %s here\n", text.Count(done.Games, "game"))
	}
	return usage(err)
}
