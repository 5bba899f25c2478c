package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

type solveCommand struct {
	Game string `arg:"" help:"Game to solve: ${solvable}."`

	Dir      string `help:"Directory for what is solved. A solve that was stopped goes on from it. Default: the game's name and -solved." placeholder:"DIR"`
	Rules    string `help:"Solve for these rules only. Default: for each reading of them." placeholder:"NAME=VALUE,…"`
	Openings string `help:"Write the values and the mixes into this file, as the built-in player reads them." placeholder:"FILE"`
	Book     string `help:"Work out the moves that the built-in player looks up, and write them into this file; needs --rules." placeholder:"FILE"`
	JSON     bool   `name:"json" help:"Write one JSON object."`
}

func (s *solveCommand) Run(ctx context.Context, c *stdio) error {
	solvable, err := levels.FindSolvable(s.Game)
	if err != nil {
		return usage(err)
	}
	rules, err := s.readings(solvable)
	if err != nil {
		return usage(err)
	}
	dir := cmp.Or(s.Dir, s.Game+"-solved")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage(fmt.Errorf("--dir: %w", err))
	}
	openings, err := promise(s.Openings)
	if err != nil {
		return usage(fmt.Errorf("--openings: %w", err))
	}
	defer openings.abandon()
	book, err := promise(s.Book)
	if err != nil {
		return usage(fmt.Errorf("--book: %w", err))
	}
	defer book.abandon()
	fmt.Fprintf(c.err, "solving %s in %s; it needs %s\n", s.Game, dir, solvable.Needs)
	stages := newStages(c)
	solution, err := solvable.Solve(ctx, dir, rules, stages.progress)
	if err == nil && openings != nil {
		if err = solution.WriteOpenings(openings); err == nil {
			err = openings.keep()
		}
	}
	if err == nil && book != nil {
		if err = solution.WriteBook(ctx, book, stages.progress); err == nil {
			err = book.keep()
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
func (s *solveCommand) readings(solvable player.Solvable) (all []game.Rules, err error) {
	g, err := games.Find(solvable.Game)
	if err != nil {
		return nil, err
	}
	texts := solvable.Readings
	if s.Rules != "" {
		texts = []string{s.Rules}
	}
	for _, text := range texts {
		rules, err := game.ParseRules(text, g.Options())
		if err != nil {
			return nil, fmt.Errorf("--rules: %w", err)
		}
		all = append(all, rules)
	}
	if s.Book != "" && len(all) != 1 {
		return nil, fmt.Errorf("--book: a book is for one reading; choose with --rules among %s", strings.Join(texts, ", "))
	}
	return all, nil
}

// promised is a file that is there whole or not at all. It is opened before the work that fills it, so
// that hours do not end in "permission denied".
type promised struct {
	*os.File
	path string
}

// promise begins a file; no path: none.
func promise(path string) (*promised, error) {
	if path == "" {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".luzhanqi-*")
	if err != nil {
		return nil, err
	}
	return &promised{f, path}, nil
}

func (p *promised) keep() error {
	if err := errors.Join(p.Chmod(0o644), p.Close()); err != nil {
		return err
	}
	return os.Rename(p.Name(), p.path)
}

// abandon removes what was not kept.
func (p *promised) abandon() {
	if p != nil {
		p.Close()
		os.Remove(p.Name())
	}
}
