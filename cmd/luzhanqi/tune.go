package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/console"
	"luzhanqi/tournament/store"
	"luzhanqi/tournament/tune"
)

type tuneCommand struct {
	File  string `arg:"" help:"Plan of the tuning, in TOML; docs/tournament.md shows all keys." type:"path"`
	Store string `help:"Directory of the results. Default: the plan's name, with .tuning for .toml." placeholder:"DIR" type:"path"`
	sandboxFlags
	stderrFlag
	Concurrency *int   `short:"c" help:"Games at a time in this process, instead of the plan's; 0: only workers elsewhere play."`
	Plot        string `help:"Write the course of the numbers as SVG." placeholder:"FILE.svg" type:"path"`
	Show        bool   `help:"Show how far it is, also while it runs, and play nothing." xor:"what"`
	Reset       bool   `help:"Begin anew, also with another plan. The results up to now are set aside, and not lost." xor:"what"`
	JSON        bool   `name:"json" help:"Write the state as JSON at the end."`
	Quiet       bool   `short:"q" help:"Show the numbers at the end only."`
}

// Run implements the command.
func (r *tuneCommand) Run(ctx context.Context, c *stdio) error {
	u, o, err := tune.Load(r.File, version())
	if err != nil {
		return usage(err)
	}
	if o.Dir = r.Store; o.Dir == "" {
		o.Dir = strings.TrimSuffix(r.File, ".toml") + ".tuning"
	}
	if r.Show {
		return r.show(ctx, c, u, o.Dir)
	}
	o.Warn = func(s string) { c.log.Warn().Msg(s) }
	if r.Reset {
		aside, games, err := tournament.SetAside(ctx, o)
		if err != nil {
			return usage(fmt.Errorf("--reset: %w", err))
		}
		fmt.Fprintf(c.err, "luzhanqi: it begins anew; what was played, %s, is kept in %s\n", text.Count(games, "game"), console.Short(aside))
	}
	if err := r.prepare(ctx, c, u, &o); err != nil {
		return usage(err)
	}
	progress := &tuneProgress{c: c, quiet: r.Quiet || r.JSON, live: colorful(c.out.File)}
	var reading *store.Store
	o.Events = func(e tournament.Event) {
		if reading == nil {
			reading, _ = u.Open(ctx, o.Dir) // the run has made it; without it there is no line to show
		}
		if reading != nil {
			progress.show(ctx, u, reading, e)
		}
	}
	_, err = tournament.Run(ctx, u.Tournament, o)
	progress.end()
	if reading != nil {
		reading.Close()
	}
	switch {
	case errors.Is(err, tournament.ErrPlan), errors.Is(err, store.ErrRunning):
		return usage(err)
	case errors.Is(err, referee.ErrVoid):
		err = failure{exitVoid, err}
	}
	if err != nil {
		fmt.Fprintf(c.err, "luzhanqi: nothing is lost: luzhanqi tune %s goes on with it\n", console.Short(r.File))
	}
	return errors.Join(err, r.show(context.WithoutCancel(ctx), c, u, o.Dir))
}

// prepare says what keeps the tuning from being played, and how its programs are shut in.
func (r *tuneCommand) prepare(ctx context.Context, c *stdio, u *tune.Tuning, o *tournament.Options) error {
	if r.Concurrency != nil {
		if *r.Concurrency < 0 || *r.Concurrency > tournament.MaxConcurrency {
			return fmt.Errorf("--concurrency %d: allowed are 0 to %d", *r.Concurrency, tournament.MaxConcurrency)
		}
		o.Concurrency = *r.Concurrency
	}
	if o.Concurrency > 0 {
		err := u.Check()
		if err != nil {
			return err
		}
		secret := o.Secrets()
		if o.Stderr, err = r.log(c); err != nil {
			return err
		} else if o.Stderr != nil {
			secret = append(secret, o.Stderr.Dir())
		}
		if o.Sandbox, err = r.policy(c, secret...); err != nil {
			return err
		}
	}
	if err := u.Ready(ctx, o.Dir); errors.Is(err, tournament.ErrPlan) {
		return fmt.Errorf("%w; luzhanqi tune --reset %s sets them aside and begins anew", err, console.Short(r.File))
	} else if err != nil {
		return err
	}
	if !r.Quiet {
		_, most := u.Schedule.Size()
		c.loud(min(o.Concurrency, most))
	}
	return nil
}

// show writes what has come of it so far.
func (r *tuneCommand) show(ctx context.Context, c *stdio, u *tune.Tuning, dir string) error {
	s, err := u.Open(ctx, dir)
	if err != nil {
		return usage(err)
	}
	defer s.Close()
	state, err := u.State(ctx, s)
	if err != nil {
		return err
	}
	if r.Plot != "" {
		if err := writeTo(c, r.Plot, func(w io.Writer) error { return state.WriteSVG(w) }); err != nil {
			return err
		}
	}
	if r.JSON {
		return c.lines().Encode(state)
	}
	state.Text(c.out)
	return nil
}

// tuneProgress shows how far it is: a line that stays in its place on a terminal, else one every ten seconds.
type tuneProgress struct {
	c           *stdio
	quiet, live bool
	last        time.Time
	shown       bool
}

func (p *tuneProgress) show(ctx context.Context, u *tune.Tuning, s *store.Store, e tournament.Event) {
	every := 10 * time.Second
	if p.live {
		every = 200 * time.Millisecond
	}
	if p.quiet || e.Kind != tournament.EventResult || time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	state, err := u.State(ctx, s)
	if err != nil {
		return // the run says what is wrong with the store
	}
	line := fmt.Sprintf("%s of %d, %s", text.Count(e.Progress.Finished, "game"), e.Progress.MaxGames, state.Line())
	if !p.live {
		fmt.Fprintln(os.Stderr, line)
		return
	}
	fmt.Fprintf(p.c.out, "\r\x1b[K%s", text.Shorten(line, max(20, console.Width(p.c.out)-1)))
	p.shown = true
}

// end takes the line away.
func (p *tuneProgress) end() {
	if p.shown {
		fmt.Fprint(p.c.out, "\r\x1b[K")
	}
}
