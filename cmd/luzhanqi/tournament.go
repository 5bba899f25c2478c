package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"luzhanqi/cmd/luzhanqi/wholefile"
	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/console"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/store"
)

type tournamentCommand struct {
	Run    tournamentRun    `cmd:"" help:"Play a tournament, or go on with one that was interrupted, however it was."`
	Show   tournamentShow   `cmd:"" help:"Show the standings, also while it runs."`
	Check  tournamentCheck  `cmd:"" help:"Check the plan, its programs and its store, without playing."`
	Report tournamentReport `cmd:"" help:"Write what was played: a page, games as CSV or JSON, records."`
	Stop   tournamentStop   `cmd:"" help:"Stop a tournament that runs on this machine; run goes on with it."`
	Reset  tournamentReset  `cmd:"" help:"Forget all results of a tournament."`
}

// planFlags name the plan and the place of its results, for all commands.
type planFlags struct {
	File  string `arg:"" help:"Plan of the tournament, in TOML; docs/tournament.md shows all keys." type:"path"`
	Store string `help:"Directory of the results. Default: the plan's name, with .tournament for .toml." placeholder:"DIR" type:"path"`
}

func (p *planFlags) dir() string {
	if p.Store != "" {
		return p.Store
	}
	return strings.TrimSuffix(p.File, ".toml") + ".tournament"
}

// again is how a command on the same tournament is written.
func (p *planFlags) again(command string) string {
	text := fmt.Sprintf("%s tournament %s %s", typed(), command, console.Short(p.File))
	if p.Store != "" {
		text += " --store " + console.Short(p.Store)
	}
	return text
}

func (p *planFlags) load() (*plan.Plan, *tournament.Tournament, tournament.Options, error) {
	read, err := plan.Load(p.File)
	if err != nil {
		return nil, nil, tournament.Options{}, usage(err)
	}
	t, o, err := tournament.FromPlan(read, version())
	if err != nil {
		return nil, nil, o, usage(err)
	}
	o.Dir = p.dir()
	return read, t, o, nil
}

// open opens the results for reading.
func (p *planFlags) open(ctx context.Context) (*tournament.Tournament, *store.Store, error) {
	_, t, o, err := p.load()
	if err != nil {
		return nil, nil, err
	}
	s, err := t.Open(ctx, o.Dir)
	if err != nil {
		return nil, nil, usage(err)
	}
	return t, s, nil
}

type tournamentRun struct {
	planFlags
	sandboxFlags
	stderrFlag
	Concurrency *int `short:"c" help:"Games at a time in this process, instead of the plan's; 0: only workers elsewhere play."`
	JSON        bool `name:"json" help:"Write events as JSON Lines to standard output; the last is the standings."`
	Quiet       bool `short:"q" help:"Show the standings at the end only."`
}

func (r *tournamentRun) Run(ctx context.Context, c *stdio) error {
	p, t, o, err := r.load()
	if err != nil {
		return err
	}
	if r.Concurrency != nil {
		if *r.Concurrency < 0 || *r.Concurrency > tournament.MaxConcurrency {
			return usage(fmt.Errorf("--concurrency %d: allowed are 0 to %d", *r.Concurrency, tournament.MaxConcurrency))
		}
		o.Concurrency = *r.Concurrency
	}
	if o.Concurrency > 0 {
		if err := p.Check(); err != nil {
			return usage(err)
		}
		secret := o.Secrets()
		if o.Stderr, err = r.log(c); err != nil {
			return usage(err)
		} else if o.Stderr != nil {
			secret = append(secret, o.Stderr.Dir())
		}
		o.Total = r.totalMemory()
		for _, player := range p.Players {
			if dir, err := filepath.Abs(player.Command.Dir); err == nil && player.IsProgram() {
				r.dirs = append(r.dirs, dir)
			}
		}
		if o.Sandbox, err = r.policy(c, secret...); err != nil {
			return usage(err)
		}
	}
	if err := t.Ready(ctx, o.Dir); err != nil {
		return usage(err)
	}
	if !r.Quiet {
		_, most := t.Schedule.Size()
		c.loud(min(o.Concurrency, most))
	}
	show := console.NewView(c.out, c.log, t, console.How{JSON: r.JSON, Quiet: r.Quiet, Live: colorful(c.out.File), Dir: o.Dir, Again: r.again})
	o.Events, o.Warn = show.Event, show.Say
	show.Begin()
	progress, err := tournament.Run(ctx, t, o)
	show.End()
	switch {
	case errors.Is(err, tournament.ErrPlan), errors.Is(err, store.ErrRunning):
		return usage(err)
	case errors.Is(err, referee.ErrVoid):
		err = failure{exitVoid, err}
	}
	return errors.Join(err, show.Result(context.WithoutCancel(ctx), progress, err))
}

type tournamentShow struct {
	planFlags
	JSON  bool   `name:"json" help:"Write the standings as JSON."`
	Cross bool   `help:"Show the cross-table too, which --json always does."`
	Game  string `help:"Show one game: its ending, and the command that replays it." placeholder:"ID"`
}

func (s *tournamentShow) Run(ctx context.Context, c *stdio) error {
	t, store, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	if s.Game != "" {
		return s.game(ctx, c, t, store)
	}
	table, err := t.Standings(ctx, store)
	if err != nil {
		return err
	}
	if s.JSON {
		e, err := console.Standing(ctx, t, store, table)
		if err != nil {
			return err
		}
		return json.NewEncoder(c.out).Encode(e)
	}
	return console.WriteStandings(ctx, c.out, t, store, table, s.Cross)
}

// game shows one game.
func (s *tournamentShow) game(ctx context.Context, c *stdio, t *tournament.Tournament, store *store.Store) error {
	r, err := store.Result(ctx, s.Game)
	if err != nil {
		return err
	}
	if r == nil {
		return usage(fmt.Errorf("game %q: it has no result; ids are such as r01-p001-g1, and %s --games - lists them", s.Game, s.again("report")))
	}
	if s.JSON {
		return json.NewEncoder(c.out).Encode(r)
	}
	fmt.Fprintln(c.out, console.GameLine(t, r))
	console.WriteFoul(c.out, r.Ending)
	fmt.Fprintf(c.out, "  played by worker %s, %v, attempt %d, ended %s\n", r.Worker, text.Duration(r.Took).Round(time.Millisecond), r.Attempt, r.Ended.Format(time.RFC3339))
	for side, effort := range r.Sides {
		line := fmt.Sprintf("  %s: %s, half of them within %v, the slowest within %v", t.Players[r.Players[side]].Name,
			text.Count(effort.Times.Total(), "move"), effort.Times.Quantile(0.5).Round(time.Microsecond), effort.Times.Quantile(1).Round(time.Microsecond))
		if effort.CPU > 0 {
			line += fmt.Sprintf("; %v of processor time, %d MiB of memory", effort.CPU.Round(time.Millisecond), effort.MaxRSS>>20)
		}
		fmt.Fprintln(c.out, line)
	}
	if given := r.Given(); given.Mattered() {
		fmt.Fprintf(c.out, "  %s\n", given.Said())
	}
	fmt.Fprintf(c.out, "  see it again: %s --game %s --records DIR, then %s replay --board=on DIR/%s.jsonl\n", s.again("report"), r.ID, typed(), r.ID)
	return nil
}

type tournamentCheck struct{ planFlags }

func (k *tournamentCheck) Run(ctx context.Context, c *stdio) error {
	p, t, o, err := k.load()
	if err != nil {
		return err
	}
	if err := p.Check(); err != nil {
		return usage(err)
	}
	minGames, maxGames := t.Schedule.Size()
	games := text.Count(minGames, "game")
	if maxGames > minGames {
		games = fmt.Sprintf("%d to %d games", minGames, maxGames)
	}
	fmt.Fprintf(c.out, "%s: %v of %s, %s, %s, %d at a time\n", k.File, p.Schedule.Format, text.Count(len(p.Players), "player"), games, p.Limits.Pace(), p.Concurrency)
	s, err := t.Open(ctx, o.Dir)
	if errors.Is(err, store.ErrNone) {
		if err := p.Idle(); err != nil {
			return usage(err)
		}
		fmt.Fprintf(c.out, "%s: nothing was played yet\n", o.Dir)
		return nil
	}
	if err != nil {
		return usage(err)
	}
	defer s.Close()
	if err := s.Verify(ctx); err != nil {
		return err
	}
	finished, voids, err := s.Count(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: %s played, %d void and played again; the database is whole\n", o.Dir, text.Count(finished, "game"), voids)
	return nil
}

type tournamentStop struct{ planFlags }

func (s *tournamentStop) Run(ctx context.Context, c *stdio) error {
	pid, err := tournament.Stop(ctx, s.dir())
	switch {
	case pid == 0 && err != nil:
		return usage(err)
	case pid == 0:
		return usage(fmt.Errorf("%s does not run on this machine", s.File))
	case err != nil:
		return err
	}
	fmt.Fprintf(c.out, "stopped process %d; %s goes on with it\n", pid, s.again("run"))
	return nil
}

type tournamentReset struct {
	planFlags
	Yes bool `help:"Do it; without this flag it only says what would be lost."`
}

func (r *tournamentReset) Run(ctx context.Context, c *stdio) error {
	_, _, o, err := r.load()
	if err != nil {
		return err
	}
	if !r.Yes {
		store, err := store.Open(ctx, o.Dir)
		if err != nil {
			return usage(err)
		}
		defer store.Close()
		finished, _, err := store.Count(ctx)
		if err != nil {
			return err
		}
		return usage(fmt.Errorf("nothing was deleted: repeat it with --yes to delete %s with its %s", o.Dir, text.Count(finished, "game")))
	}
	o.Warn = func(s string) { c.log.Warn().Msg(s) }
	if err := tournament.Reset(ctx, o); err != nil {
		if errors.Is(err, store.ErrRunning) {
			return usage(err)
		}
		return err
	}
	fmt.Fprintf(c.out, "deleted %s\n", o.Dir)
	return nil
}

// writeTo writes a file as a whole, or standard output: nobody finds half a file.
func writeTo(c *stdio, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(c.out)
	}
	file, err := wholefile.Begin(name)
	if err != nil {
		return usage(err)
	}
	defer file.Abandon()
	if err := write(file); err != nil {
		return err
	}
	if err := file.Keep(); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "written: %s\n", name)
	return nil
}
