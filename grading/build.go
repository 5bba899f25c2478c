package grading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"luzhanqi/grading/marks"
	"luzhanqi/grading/tree"
	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/text"
)

// build builds the submission and starts it once. Found is what is wrong with the submission, of which nothing remains
// then; an error is what is wrong with this machine.
func (w *submissionRun) build(ctx context.Context) (*marks.Build, error) {
	b := &marks.Build{}
	if n := w.state.held("build", w.built); n >= heldEnds {
		b.Failed, b.Ended = tooOften("building it, or starting what was built,", n), true
	} else if err := w.attempt(ctx, b); err != nil {
		return nil, err
	}
	if b.Failed != "" {
		return b, remove(w.tree())
	}
	return b, nil
}

// attempt builds, looks at what was built, and starts it.
func (w *submissionRun) attempt(ctx context.Context, b *marks.Build) error {
	if err := w.untouched(ctx); err != nil {
		return err
	}
	dir, err := w.top()
	if err != nil {
		return err
	}
	if err := w.commands(b, dir); err != nil || b.Failed != "" {
		return err
	}
	for _, words := range [][]string{b.Command, b.Run} {
		if err := installed(words); err != nil {
			return err
		}
	}
	w.executes()
	if len(b.Command) > 0 {
		if err := w.make(ctx, b, dir); err != nil || b.Failed != "" {
			return err
		}
	}
	found, err := w.look(ctx)
	var refusal *tree.Refusal
	if errors.As(err, &refusal) {
		b.Failed = text.PrintableLines(fmt.Sprintf("what was built is refused: %v", refusal))
		return nil
	}
	if err != nil {
		return err
	}
	b.Tree = found.Digest
	return w.start(b, dir)
}

// installed says whether a program that is named without a path is there: if not, no student can help it.
func installed(words []string) error {
	if len(words) == 0 || filepath.Base(words[0]) != words[0] {
		return nil
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("%q is not installed on this machine: %w", words[0], err)
	}
	return nil
}

// make runs the command that builds.
func (w *submissionRun) make(ctx context.Context, b *marks.Build, dir string) error {
	limits := w.course.Build
	c := process.Command{
		Args: b.Command, Dir: dir, Env: append(slices.Clone(w.language.Env), limits.Env...), Confine: limits.Confine, Sandbox: w.shutIn(w.tree()),
	}
	c.Sandbox.Own, c.Sandbox.Give = true, true
	kept := ""
	if c.Sandbox.Profile == sandbox.Sealed {
		var err error
		if kept, err = w.sealedBuild(&c.Sandbox); err != nil {
			return err
		}
		defer remove(kept) // unless it has taken its place
	}
	if err := c.Check(); err != nil { // it comes with the submission
		b.Failed = text.PrintableLines(fmt.Sprintf("the build command cannot be run: %v", err))
		return nil
	}
	own, err := os.Lstat(w.tree())
	if err != nil {
		return err
	}
	watched, end := w.watch(ctx)
	result := process.Run(watched, c, process.RunLimits{Time: limits.Time, Head: maxOutput, Tail: maxOutput})
	b.Traces.Add(result.Exit.Refused, nil) // what it changes is what it builds
	trouble := end()
	if now, err := os.Lstat(w.tree()); err != nil || !os.SameFile(own, now) {
		b.Failed = text.PrintableLines(fmt.Sprintf("%s has put something else in the place of its folder", c))
		return nil
	}
	if err := sandbox.TakeBack(dir); err != nil {
		return err
	}
	if trouble != "" {
		b.Failed = text.PrintableLines(fmt.Sprintf("%s was stopped: %s", c, trouble))
		b.Output = text.PrintableLines(result.Stdout.String() + result.Stderr.String())
		return nil
	}
	if result.Err != nil {
		if ctx.Err() != nil || machineFault(result.Err) {
			return result.Err
		}
		b.Failed = text.PrintableLines(fmt.Sprintf("%s: %v", c, result.Err))
		return nil
	}
	if result.OK() && kept != "" {
		return replace(dir, kept)
	}
	if result.OK() {
		return nil
	}
	result.Exit.Suspected = "" // most builds fail because of what is built, and say so
	b.Failed = text.PrintableLines(fmt.Sprintf("%s %v", c, result.Exit))
	if result.TimedOut {
		b.Failed = text.PrintableLines(fmt.Sprintf("%s took longer than %v and was stopped", c, limits.Time))
	}
	b.Output = text.PrintableLines(result.Stdout.String() + result.Stderr.String())
	return nil
}

// watch measures what a build has written so far, until end is called, and stops it when that is more than it may. What end
// returns is why it was stopped.
func (w *submissionRun) watch(ctx context.Context) (watched context.Context, end func() (trouble string)) {
	watched, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		pause := leastPause
		for {
			select {
			case <-watched.Done():
				return
			case <-time.After(pause):
			}
			begin := time.Now()
			err := tree.Measure(watched, w.tree(), w.course.Build.Tree)
			var refusal *tree.Refusal
			if errors.As(err, &refusal) {
				stop(refusal)
				return
			}
			pause = max(leastPause, 20*time.Since(begin)) // so that measuring costs a twentieth of a processor
		}
	}()
	return watched, func() (trouble string) {
		stop(nil)
		<-done
		var refusal *tree.Refusal
		if errors.As(context.Cause(watched), &refusal) {
			return refusal.Error()
		}
		return ""
	}
}

// leastPause lies between two measurements of what a build writes: at 1 GB a second it gets no further than some GiB.
const leastPause = time.Second

// start starts the program once, and ends it.
func (w *submissionRun) start(b *marks.Build, dir string) error {
	c := process.Command{Args: b.Run, Dir: dir, Confine: w.course.Confine, Sandbox: w.shutIn(w.tree())}
	if err := c.Check(); err != nil {
		b.Failed = text.PrintableLines(err.Error())
		return nil
	}
	p, err := process.Start(c)
	if err != nil {
		if machineFault(err) {
			return err
		}
		b.Failed = text.PrintableLines(err.Error())
		return nil
	}
	exit, err := p.Stop(0)
	b.Traces.Add(exit.Refused, nil)
	return err
}

// machineFault says whether a program did not start because this machine has no room for it.
func machineFault(err error) bool {
	said := err.Error() // the copying of its folder is told in words only
	return process.MachineFault(err) || strings.Contains(said, "no space left") || strings.Contains(said, "quota exceeded")
}

// maxOutput is how much of each end of what a build says is kept: the first error explains the others, and
// the last line says what became of it.
const maxOutput = 3 << 10
