package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"syscall"
	"time"

	"luzhanqi/clock"
	"luzhanqi/process/sandbox"
)

// Exit is how a program ended.
type Exit struct {
	Code   int            // exit code; -1 when a signal ended it
	Signal syscall.Signal // the signal, or 0
	Killed bool           // it was still running when the referee ended it
	User   time.Duration  // processor time of the program and of its children that it waited for
	System time.Duration
	MaxRSS int64 // bytes; 0: not known on this system

	Exceeded Limit  // the limit that ended it, as far as that can be known
	Of       string // what was exceeded, in words: "more than 16 processes at once"
	// Suspected are limits, in words, that a failure may be due to. A program that is refused memory
	// ends as its language ends it, and nobody can tell that from other ends.
	Suspected string

	Refused []sandbox.Refusal // system calls that a sealed program made and was refused
	Changed []string          // files of its working directory that a program with a layer has changed, some of them
}

func (e Exit) String() string {
	text := fmt.Sprintf("exited with code %d", e.Code)
	switch {
	case e.Killed:
		return "did not exit by itself and was killed by the referee"
	case e.Exceeded != NoLimit:
		return fmt.Sprintf("was killed for using %s, its limit", e.Of)
	case e.Signal != 0:
		text = fmt.Sprintf("was killed by signal %d (%v)", int(e.Signal), e.Signal)
	}
	if e.Suspected != "" {
		text += "; its limit of " + e.Suspected + " may be why"
	}
	return text
}

// RunLimits bound a command that runs to its end. What it may use besides is in Command.Confine.
type RunLimits struct {
	Time time.Duration // wall time; must be positive
	Head int           // bytes kept of the beginning of each stream; 0: [Kept]
	Tail int           // and of its end; 0: [Kept]
}

// Kept is how much of each end of a stream Run keeps unless told otherwise.
const Kept = 32 << 10

// Result is what came of a command.
type Result struct {
	Exit     Exit
	Stdout   Excerpt
	Stderr   Excerpt
	Took     time.Duration
	TimedOut bool // it was killed because its time was over
	// Err is set where the command did not run, where the context ended it, or where something of it
	// could not be removed. It is not set because a command failed; see OK.
	Err error
}

// OK says whether the command ran, in time, and exited with code 0.
func (r Result) OK() bool { return r.Err == nil && !r.TimedOut && r.Exit.Code == 0 && !r.Exit.Killed }

// Run runs a command to its end, such as a build, with an empty standard input. It ends when the
// program itself exits; whatever it has started is gone when Run returns. The context ends it early.
func Run(ctx context.Context, c Command, limits RunLimits) Result {
	head, tail := cmp.Or(limits.Head, Kept), cmp.Or(limits.Tail, Kept)
	if limits.Time <= 0 || head < 0 || tail < 0 {
		return Result{Err: fmt.Errorf("run %q within %v, keeping %d and %d bytes: allowed are a positive time and positive numbers", c.Args[0], limits.Time, head, tail)}
	}
	if err := ctx.Err(); err != nil {
		return Result{Err: fmt.Errorf("run %q: %w", c.Args[0], err)}
	}
	output, complaints := newCapture(head, tail), newCapture(head, tail)
	begun := clock.Now()
	p, err := launch(c, complaints, math.MaxInt64)
	if err != nil {
		return Result{Err: err, Took: clock.Since(begun)}
	}
	p.CloseInput()
	stop := context.AfterFunc(ctx, p.Interrupt)
	defer stop()
	timedOut := p.collect(ctx, output, begun.Add(limits.Time))
	took := clock.Since(begun)
	exit, err := p.Stop(0)
	r := Result{Exit: exit, Stdout: output.excerpt(), Took: took, TimedOut: timedOut && exit.Killed, Err: err}
	if ctx.Err() != nil && exit.Killed {
		r.Err, r.TimedOut = errors.Join(fmt.Errorf("run %q: %w", c.Args[0], context.Cause(ctx)), err), false
	}
	if err == nil { // else somebody may still be writing
		r.Stderr = complaints.excerpt()
	}
	return r
}

// collect reads the output until the program has exited, the deadline or the end of ctx, and
// says whether it was the deadline.
func (p *Process) collect(ctx context.Context, output *capture, deadline time.Time) (late bool) {
	buf := make([]byte, 32<<10)
	watched := make(chan struct{})
	defer func() { <-watched }()
	finished := make(chan struct{})
	defer close(finished)
	go func() {
		defer close(watched)
		select {
		case <-p.exited:
		case <-finished:
			return
		}
		// All writers are dead soon, unless somebody else has opened the pipe.
		select {
		case <-finished:
		case <-time.After(drainTimeout):
			p.Interrupt()
		}
	}()
	for {
		n, err := p.Read(buf, deadline)
		output.Write(buf[:n])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return true
		}
		if err != nil {
			break
		}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-p.exited:
		case <-ctx.Done():
		case <-finished:
		}
	}()
	return !clock.Wait(ended, clock.Until(deadline)) // it may have closed its output and live on
}
