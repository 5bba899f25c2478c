package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	rules "luzhanqi/game/chess1d"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"luzhanqi/cmd/luzhanqi/wholefile"
	"luzhanqi/game"
	"luzhanqi/player/chess1d"
)

type solveCommand struct {
	Game string `arg:"" help:"Game to solve: chess1d (${solving})."`

	Dir      string `help:"Directory for what is solved. A solve that was stopped goes on from it. Default: the game's name and -solved." placeholder:"DIR"`
	Rules    string `help:"Solve for these rules only. Default: for each reading of them." placeholder:"NAME=VALUE,…"`
	Openings string `help:"Write the values and the mixes into this file, as the built-in player reads them." placeholder:"FILE"`
	Book     string `help:"Work out the moves that the built-in player looks up, and write them into this file; needs --rules." placeholder:"FILE"`
	JSON     bool   `name:"json" help:"Write one JSON object."`
}

func (s *solveCommand) Run(ctx context.Context, c *stdio) error {
	if name := (rules.Game{}).Name(); s.Game != name {
		return usage(fmt.Errorf("game %q cannot be solved: allowed are %s", s.Game, name))
	}
	readings, err := s.readings()
	if err != nil {
		return usage(err)
	}
	dir := cmp.Or(s.Dir, s.Game+"-solved")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage(fmt.Errorf("--dir: %w", err))
	}
	openings, err := wholefile.Begin(s.Openings)
	if err != nil {
		return usage(fmt.Errorf("--openings: %w", err))
	}
	defer openings.Abandon()
	book, err := wholefile.Begin(s.Book)
	if err != nil {
		return usage(fmt.Errorf("--book: %w", err))
	}
	defer book.Abandon()
	fmt.Fprintf(c.err, "solving %s in %s; it needs %s\n", s.Game, dir, chess1d.Needs)
	stages := newStages(c)
	solution, err := chess1d.Solve(ctx, dir, readings, stages.progress)
	if err == nil && openings != nil {
		if err = solution.WriteOpenings(openings); err == nil {
			err = openings.Keep()
		}
	}
	if err == nil && book != nil {
		if err = solution.WriteBook(ctx, book, stages.progress); err == nil {
			err = book.Keep()
		}
	}
	stages.done()
	if ctx.Err() != nil {
		return fmt.Errorf("%w; what was solved is in %s, and the same command goes on from there", context.Cause(ctx), dir)
	}
	if err != nil {
		return err
	}
	if s.JSON {
		return json.NewEncoder(c.out).Encode(solution)
	}
	fmt.Fprint(c.out, solution)
	return nil
}

// readings are the rules to solve for.
func (s *solveCommand) readings() (all []game.Rules, err error) {
	texts := chess1d.Readings
	if s.Rules != "" {
		texts = []string{s.Rules}
	}
	for _, text := range texts {
		r, err := game.ParseRules(text, rules.Game{}.Options())
		if err != nil {
			return nil, fmt.Errorf("--rules: %w", err)
		}
		all = append(all, r)
	}
	if s.Book != "" && len(all) != 1 {
		return nil, fmt.Errorf("--book: a book is for one reading; choose with --rules among %s", strings.Join(texts, ", "))
	}
	return all, nil
}

// stages shows how far a solve is, on standard error: a bar on a terminal, else lines.
type stages struct {
	*stdio
	terminal bool
	name     string
	bar      *progressbar.ProgressBar
	began    time.Time
	percent  int // shown last
}

func newStages(c *stdio) *stages {
	return &stages{stdio: c, terminal: term.IsTerminal(int(c.err.Fd()))}
}

// step is how many per cent lie between two lines.
const step = 5

func (s *stages) progress(name string, done, total int) {
	if name != s.name {
		s.done()
		s.name, s.began, s.percent = name, time.Now(), -step
		if s.terminal {
			s.bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(s.err), progressbar.OptionSetDescription(name), progressbar.OptionShowCount(),
				progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
		}
	}
	if s.bar != nil {
		s.bar.Set(done)
		return
	}
	if percent := 100 * done / max(total, 1); percent >= s.percent+step || done == total && percent > s.percent {
		s.percent = percent
		fmt.Fprintf(s.err, "%s: %d of %d, %d %%, after %v\n", name, done, total, percent, time.Since(s.began).Round(time.Second))
	}
}

// done takes the bar away.
func (s *stages) done() {
	if s.bar != nil {
		fmt.Fprint(s.err, "\r\x1b[2K") // its own Clear leaves the line when the bar is not full
		s.bar = nil
	}
}
