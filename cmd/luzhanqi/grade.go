package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"luzhanqi/grading"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/referee"
	"luzhanqi/text"
)

type gradeCommand struct {
	Course string `arg:"" name:"course" help:"TOML file that says where the submissions are and how they are graded; docs/grading.md explains it."`

	Out         *string  `help:"Folder for the results and the work in progress, which a second run goes on with. Default: graded, beside the course file." placeholder:"DIR"`
	Check       bool     `help:"Read the course and the submissions and say how each would be built; nothing is executed."`
	Only        []string `help:"Grade only the submission of this name; may be given more than once. The results of the class stay as they are." sep:"none" placeholder:"NAME"`
	Concurrency int      `short:"c" help:"Submissions graded at a time. Default: one for each processor."`
	Sandbox     string   `help:"How far builds and programs are shut in: ${enum}. Below sealed, say so: a program could change its marks." enum:"sealed,guarded,off" default:"sealed"`
	JSON        bool     `name:"json" help:"Write events as JSON Lines to standard output instead of text."`
}

func (g *gradeCommand) Run(ctx context.Context, c *stdio) error {
	switch {
	case g.Out != nil && *g.Out == "":
		return usage(errors.New("--out \"\": give a folder"))
	case g.Concurrency < 0 || g.Concurrency > 1000:
		return usage(fmt.Errorf("--concurrency %d: allowed are 1 to 1000", g.Concurrency))
	case g.Concurrency == 0:
		g.Concurrency = runtime.GOMAXPROCS(0)
	}
	described, err := course.Load(g.Course)
	if err != nil {
		return usage(err)
	}
	if g.Check {
		return g.check(ctx, c, described)
	}
	out := described.Results()
	if g.Out != nil {
		out = *g.Out
	}
	shut := sandboxFlags{Sandbox: g.Sandbox}
	policy, err := shut.policy(c)
	if err != nil {
		return usage(err)
	}
	run := c.loud(g.Concurrency)
	outcome, err := grading.Run(ctx, described, grading.Options{
		Out: out, Only: g.Only, Concurrency: g.Concurrency, Version: version(), Events: g.events(c), Sandbox: policy.Profile, Load: run,
	})
	if errors.Is(err, grading.ErrInput) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	if !g.JSON && len(g.Only) == 0 {
		fmt.Fprintf(c.out, "the class: %s\n", filepath.Join(out, "class", "index.html"))
	}
	return ungraded(outcome)
}

// check says what would be graded.
func (g *gradeCommand) check(ctx context.Context, c *stdio, described *course.Course) error {
	found, err := grading.Look(ctx, described, g.Only)
	if errors.Is(err, grading.ErrInput) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	if found.Write(c.out); len(found.Missing) > 0 {
		return fmt.Errorf("%s of builds and runs not installed on this machine: %s", text.Count(len(found.Missing), "program"), strings.Join(found.Missing, ", "))
	}
	return nil
}

// events writes what happens, a line each.
func (g *gradeCommand) events(c *stdio) func(grading.Event) {
	lines := c.lines()
	return func(e grading.Event) {
		if g.JSON {
			lines.Encode(e) // stdio remembers what fails
			return
		}
		who := e.Submission
		if who == "" {
			who = "the class"
		}
		switch e.Event {
		case "mark":
			fmt.Fprintf(c.out, "%s: %s of %s points\n", who, marks.Format(*e.Points), marks.Format(*e.Max))
		case "failed":
			fmt.Fprintf(c.out, "%s: not graded: %s\n", who, e.Text)
		case "given":
			fmt.Fprintln(c.out, e.Text)
		default:
			fmt.Fprintf(c.out, "%s: %s\n", who, e.Text)
		}
	}
}

// ungraded is the error of a run in which submissions could not be graded.
func ungraded(outcome grading.Outcome) error {
	if len(outcome.Failures) == 0 {
		return nil
	}
	first := outcome.Failures[0]
	code := exitFailed
	for _, f := range outcome.Failures {
		if errors.Is(f.Err, referee.ErrVoid) {
			code = exitVoid
		}
	}
	return failure{code, fmt.Errorf("%s could not be graded, which costs nobody marks; run it again when the reason is gone: %s: %w",
		text.Count(len(outcome.Failures), "submission"), first.Name, first.Err)}
}
