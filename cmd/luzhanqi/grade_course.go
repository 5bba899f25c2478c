package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"luzhanqi/grading"
	"luzhanqi/grading/course"
	"luzhanqi/grading/keeping"
	"luzhanqi/grading/roster"
	"luzhanqi/text"
)

// courseCommand looks after a course and its results: docs/keeping.md.
type courseCommand struct {
	Backup  courseBackup  `cmd:"" help:"Write a course, what was handed in and the results into one file."`
	Restore courseRestore `cmd:"" help:"Unpack a backup into a new folder, after its digests were compared."`
	Forget  courseForget  `cmd:"" help:"Delete submissions and all that is known of them."`
	Prune   coursePrune   `cmd:"" help:"Delete records and programs that are older than they need be kept; marks stay."`
}

// graded is a course whose results are looked after.
type graded struct {
	Course string  `arg:"" help:"The course file."`
	Out    *string `help:"Folder of the results. Default: graded, beside the course file." placeholder:"DIR"`
}

// open reads the course and finds the results, which no grader changes until they are released.
func (g *graded) open() (c *course.Course, out string, err error) {
	if c, err = course.Load(g.Course); err != nil {
		return nil, "", usage(err)
	}
	if out = c.Results(); g.Out != nil {
		out = *g.Out
	}
	out, err = filepath.Abs(out)
	return c, out, err
}

type courseBackup struct {
	graded
	File string `arg:"" help:"The new file, such as autumn.tar.gz."`
}

func (b *courseBackup) Run(ctx context.Context, c *stdio) error {
	described, out, err := b.open()
	if err != nil {
		return err
	}
	release, err := grading.Hold(out)
	if err != nil {
		return usage(err)
	}
	defer release()
	s, err := keeping.Backup(ctx, described, out, b.File)
	if errors.Is(err, fs.ErrExist) {
		return usage(fmt.Errorf("%s is there already; a backup is a new file", b.File))
	}
	if err != nil {
		return err
	}
	for _, path := range s.Outside {
		fmt.Fprintf(c.err, "luzhanqi: note: %s is not in the backup: it lies outside the folder of the course\n", path)
	}
	fmt.Fprintf(c.out, "%s: %v. Whoever can read it can read all of it.\n", b.File, s)
	return nil
}

type courseRestore struct {
	File   string `arg:"" help:"The backup."`
	Folder string `arg:"" help:"A folder that is not there, or empty."`
}

func (r *courseRestore) Run(ctx context.Context, c *stdio) error {
	s, err := keeping.Restore(ctx, r.File, r.Folder)
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(c.out, "%s: %v, each with the digest that it had\n", r.Folder, s)
	return nil
}

type courseForget struct {
	Course string   `arg:"" help:"The course file."`
	Name   []string `arg:"" help:"Names of submissions; without an attempt: all attempts."`
	Out    *string  `help:"Folder of the results. Default: graded, beside the course file." placeholder:"DIR"`
	DryRun bool     `help:"Only say what would be deleted."`
}

func (f *courseForget) Run(ctx context.Context, c *stdio) error {
	described, out, err := (&graded{f.Course, f.Out}).open()
	if err != nil {
		return err
	}
	done, err := grading.Forget(ctx, described, grading.Options{Out: out, Version: version()}, f.Name, f.DryRun)
	if errors.Is(err, grading.ErrInput) || errors.Is(err, grading.ErrBusy) {
		return usage(err)
	}
	verb := "deleted"
	if f.DryRun {
		verb = "would delete"
	}
	for _, path := range done.Removed {
		fmt.Fprintf(c.out, "%s %s\n", verb, path)
	}
	for _, place := range done.Remains {
		fmt.Fprintf(c.out, "still there, for you to take out: %s\n", place)
	}
	return err
}

type coursePrune struct {
	graded
	OlderThan string `help:"Days since it was graded, such as 180d." required:"" placeholder:"SPAN"`
	DryRun    bool   `help:"Only say what would be deleted."`
}

func (p *coursePrune) Run(c *stdio) error {
	span, err := roster.ParseSpan(p.OlderThan)
	if err != nil {
		return usage(fmt.Errorf("--older-than: %w", err))
	}
	_, out, err := p.open()
	if err != nil {
		return err
	}
	release, err := grading.Hold(out)
	if err != nil {
		return usage(err)
	}
	defer release()
	removed, err := keeping.Prune(out, time.Now().Add(-span), p.DryRun)
	if errors.Is(err, fs.ErrNotExist) {
		return usage(err)
	}
	verb, bytes := "deleted", int64(0)
	if p.DryRun {
		verb = "would delete"
	}
	for _, r := range removed {
		bytes += r.Bytes
		fmt.Fprintf(c.out, "%s %s: %v\n", verb, filepath.ToSlash(r.Path), text.Bytes(r.Bytes))
	}
	fmt.Fprintf(c.out, "%s %s in all, %v; marks are kept\n", verb, text.Count(len(removed), "folder"), text.Bytes(bytes))
	return err
}
