package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"luzhanqi/clock"
	"luzhanqi/process/sandbox"
)

// Exit is how a program ended.
type Exit struct {
	Code   int            // exit code; -1 when a signal ended it
	Signal syscall.Signal // the signal, or 0
	Killed bool           // it was still running when the referee ended it
	Lost   bool           // what supervises all programs was killed, and the program with it: it is not to blame
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
	case e.Lost:
		return "died with what supervises programs"
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

// Excerpt is the beginning and the end of a long text. Where something is left out, no character is split.
type Excerpt struct {
	Head, Tail []byte
	LeftOut    int64 // bytes between them
}

// String says where something is left out.
func (e Excerpt) String() string {
	if e.LeftOut == 0 {
		return string(e.Head) + string(e.Tail)
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", e.Head, e.LeftOut, e.Tail)
}

// capture keeps the beginning and the end of a stream, and counts all of it.
type capture struct {
	mu    sync.Mutex
	head  []byte // the first bytes, as many as fit
	ring  []byte // the last bytes of the rest, as many as fit
	next  int    // where the next byte goes, once the ring is full
	total int64
}

func newCapture(head, tail int) *capture {
	return &capture{head: make([]byte, 0, head), ring: make([]byte, 0, tail)}
}

// Write never fails.
func (c *capture) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	written := len(b)
	c.total += int64(written)
	b = appendFitting(&c.head, b)
	if len(b) > cap(c.ring) {
		b = b[len(b)-cap(c.ring):]
	}
	b = appendFitting(&c.ring, b)
	for len(b) > 0 {
		n := copy(c.ring[c.next:], b)
		c.next = (c.next + n) % len(c.ring)
		b = b[n:]
	}
	return written, nil
}

// appendFitting appends what fits, and returns the rest.
func appendFitting(to *[]byte, b []byte) []byte {
	n := min(len(b), cap(*to)-len(*to))
	*to = append(*to, b[:n]...)
	return b[n:]
}

func (c *capture) written() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

func (c *capture) excerpt() Excerpt {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := Excerpt{Head: append([]byte{}, c.head...), Tail: append(append([]byte{}, c.ring[c.next:]...), c.ring[:c.next]...)}
	if c.total > int64(len(e.Head)+len(e.Tail)) {
		e.Head, e.Tail = wholeEnd(e.Head), wholeBegin(e.Tail)
	}
	e.LeftOut = c.total - int64(len(e.Head)+len(e.Tail))
	return e
}

// wholeEnd drops the first bytes of a character at the end of b that breaks off.
func wholeEnd(b []byte) []byte {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// wholeBegin drops the last bytes of a character that began before b.
func wholeBegin(b []byte) []byte {
	for i := range utf8.UTFMax {
		if i == len(b) || utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	return b
}
