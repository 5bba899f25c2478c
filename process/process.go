// Package process runs a program that nobody trusts: it starts it, talks to it with absolute deadlines, holds it
// to limits, and at the end kills all that it has started. It knows nothing of games.
//
// # Use
//
// [Reexec] is the first call in main, and in TestMain: this package starts the program's own binary again.
// [AdoptOrphans] declares that no other children are started. [ParseCommand] makes a [Command] of a command line;
// [Start] starts it; Read, Write and Stop of [Process] talk to it and end it. [Run] is for a command that is not
// talked to, such as a build. A [Confinement] limits what either may use.
//
// # What holds on every system
//
//   - No read and no write takes longer than its deadline, whatever the program does: babbles, dribbles, never
//     reads, stops itself. Deadlines are times of package clock.
//   - Standard error is read all the time; of it, the end is kept. More than [StderrMax] bytes end the program.
//   - Stop returns when the program is dead. Its [Exit] says how it ended, and which limit ended it.
//   - Memory is bounded, and nothing is parsed: messages are bytes here.
//
// # What depends on the system
//
// [Guarantees] says it in a sentence for users.
//
//   - Linux: the program runs below a supervisor, which adopts and kills every descendant, wherever it hides,
//     also when this process is killed by SIGKILL. All limits hold.
//   - macOS and the BSDs: the program's process group is killed. A descendant that has left it survives, and so does
//     everything if this process is killed. Limits of memory, of processes, of threads and of processors are
//     refused.
//   - Windows: a job object holds the program and its descendants, also when this process is killed. There are
//     neither pseudo-terminals nor limits, but for private directories.
//
// # What it does not do
//
// Nothing here keeps a program from reading files, opening connections or sending signals, beyond what its user
// may do. No shell is run.
package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"luzhanqi/clock"
	"luzhanqi/process/starvation"
)

const (
	// StderrKept is how much of the end of a program's standard error is kept.
	StderrKept = 8 << 10
	// StderrMax is how much a program may write to standard error before it counts as flooding:
	// far above the log of the most talkative player seen (10 KB a move), far below what slows
	// down other games.
	StderrMax = 64 << 20
	// drainTimeout bounds the wait for the end of standard error after everything is dead.
	drainTimeout = time.Second
)

// Errors of Read and Write besides those of the system: io.EOF and os.ErrDeadlineExceeded.
var (
	errInterrupted = errors.New("interrupted") // of a source; Process knows why

	ErrFlooded     = fmt.Errorf("wrote more than %d MiB to standard error", StderrMax>>20)
	ErrInterrupted = errors.New("interrupted")
)

// MachineFault says whether an error of Start is about this machine's limits and not about the program.
func MachineFault(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM)
}

// Process is one running program. Read and Write may be used by one goroutine each.
type Process struct {
	stdin  sink
	stdout source
	stderr *os.File
	errors *capture
	passed io.Writer // gets all of it, too; nil: nobody
	flood  int64     // how many bytes of errors count as flooding
	guard  guard

	looked      time.Time             // the deadline after which Read has looked for the last time
	interrupted atomic.Pointer[error] // why reads no longer wait

	held     bool          // by Hold; guarded by running
	flooded  atomic.Bool   // and killed for it
	exited   chan struct{} // closed when exit is set
	exit     Exit
	drained  chan struct{} // closed when standard error is at its end
	stopOnce sync.Once

	closeOnce sync.Once // of stdin
	farewell  []byte
}

// guard is what a system offers to wait for a program and to end it with all that it started.
type guard interface {
	wait() Exit     // blocks until the program itself has exited, is doomed with its supervisor, or cannot be killed
	kill()          // ends everything; may be called more than once
	pause(yes bool) // stops everything, or lets it go on
	release() error // after kill and wait: returns when everything is gone, or says what is not

	family() Family
}

// Family says where a program is among the processes.
type Family struct {
	Root    int // the process below which all of the program is; 0: there is none
	Program int // the program, where it and what is below it is not below Root; else 0
}

// Start starts the program. An error means that no program is running and none has run.
func Start(c Command) (*Process, error) {
	return launch(c, newCapture(0, StderrKept), StderrMax)
}

// launch starts the program with what keeps its standard error, and how much that may be in all.
func launch(c Command, errors *capture, flood int64) (*Process, error) {
	if roles == nil {
		return nil, ErrNoReexec
	}
	path, err := c.path()
	if err != nil {
		return nil, err
	}
	if err := c.checkConfinement(); err != nil {
		return nil, err
	}
	p := &Process{errors: errors, passed: c.Stderr, flood: flood, exited: make(chan struct{}), drained: make(chan struct{})}
	open := p.pipes
	if c.Terminal {
		open = p.terminal
	}
	theirs, err := open()
	if err != nil {
		return nil, err
	}
	p.guard, err = start(c, path, theirs)
	closeAll(theirs[:]) // or the end of the program's output would never be seen
	if err != nil {
		p.CloseInput()
		p.stdout.Close()
		p.stderr.Close()
		return nil, fmt.Errorf("start %q: %w%s", c.Args[0], err, hint(path, err))
	}
	p.runs(true)
	go p.awaitExit()
	go p.drainStderr()
	if c.Started != nil {
		c.Started(p.guard.family())
	}
	return p, nil
}

// pipes makes the three pipes and returns the ends that are the program's.
func (p *Process) pipes() (theirs [3]*os.File, err error) {
	if p.stdin, theirs[0], err = newSink(); err != nil {
		return theirs, fmt.Errorf("make a pipe: %w", err)
	}
	if p.stdout, theirs[1], err = newSource(); err != nil {
		p.stdin.Close()
		theirs[0].Close()
		return theirs, fmt.Errorf("make a pipe: %w", err)
	}
	if p.stderr, theirs[2], err = os.Pipe(); err != nil {
		p.stdin.Close()
		p.stdout.Close()
		closeAll(theirs[:2])
		return theirs, fmt.Errorf("make a pipe: %w", err)
	}
	return theirs, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

func (p *Process) awaitExit() {
	p.exit = p.guard.wait()
	close(p.exited)
}

// drainStderr reads standard error all the time, since a program that fills that pipe stands still.
func (p *Process) drainStderr() {
	defer close(p.drained)
	buf := make([]byte, 16<<10)
	for {
		n, err := p.stderr.Read(buf)
		p.errors.Write(buf[:n])
		if p.passed != nil && n > 0 {
			p.passed.Write(buf[:n])
		}
		if err != nil {
			return
		}
		if p.errors.written() > p.flood {
			p.flooded.Store(true)
			p.interrupt(ErrFlooded)
			p.guard.kill()
			return
		}
	}
}

// Interrupt makes present and future reads return ErrInterrupted at once. What there is room for is still
// written, so that the program can be told that its game is over.
func (p *Process) Interrupt() { p.interrupt(ErrInterrupted) }

func (p *Process) interrupt(why error) {
	if p.interrupted.CompareAndSwap(nil, &why) {
		p.stdout.interrupt()
	}
}

// Read reads what the program has written, waiting until there is something or the deadline.
// It returns os.ErrDeadlineExceeded after the deadline, and io.EOF when the program and all its
// children have closed their output. What has arrived when the deadline is noticed still counts:
// this process may have had no processor when it passed. That is looked for once only, or a
// program that never stops writing could make its time longer.
func (p *Process) Read(buf []byte, deadline time.Time) (int, error) {
	if !clock.Now().Before(deadline) {
		if p.looked.Equal(deadline) {
			return 0, os.ErrDeadlineExceeded
		}
		p.looked = deadline
	}
	n, err := p.stdout.read(buf, deadline)
	if why := p.interrupted.Load(); why != nil && n == 0 { // whoever interrupts also kills, so it may be an end of file
		err = *why
	}
	return n, err
}

// Write writes b, in one write if there is room, waiting for room until the deadline; n is how much was written. A
// program that has closed its input or is gone yields an error (EPIPE), never a signal. When reads are interrupted, a
// write does not wait any longer, either.
func (p *Process) Write(b []byte, deadline time.Time) (n int, err error) {
	for {
		until := deadline
		if !deadline.IsZero() {
			if soon := clock.Now().Add(roomInterval); soon.Before(deadline) {
				until = soon
			}
		}
		written, err := p.stdin.write(b[n:], until)
		if n += written; !errors.Is(err, os.ErrDeadlineExceeded) || !until.Before(deadline) {
			return n, err
		}
		if why := p.interrupted.Load(); why != nil {
			return n, *why
		}
	}
}

// Unread says how many bytes of its standard input the program has yet to read, where that can be known: on Linux, through a pipe.
// Elsewhere it is 0.
func (p *Process) Unread() int { return p.stdin.unread() }

// roomInterval is how often a write that waits for room looks whether it should go on.
const roomInterval = 100 * time.Millisecond

// CloseInput ends the program's standard input. Nothing can be written after it.
func (p *Process) CloseInput() { p.closeOnce.Do(func() { p.stdin.Close() }) }

// Exited is closed when the program itself has exited; Exit then says how. A program that has killed its
// supervisor counts as killed from then on, though it may live until Stop.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Exit is how the program ended. It must not be called before Exited is closed.
func (p *Process) Exit() Exit { return p.exit }

// Stderr returns the end of what the program wrote to standard error, and how many bytes it wrote
// in all.
func (p *Process) Stderr() (kept []byte, total int64) {
	e := p.errors.excerpt()
	return e.Tail, e.LeftOut + int64(len(e.Tail))
}

// Stop closes the program's standard input, lets it exit by itself during grace, discarding what
// it still writes, and kills whatever then is left of it and its descendants. All of it is gone
// when Stop returns, or the error says what is not.
func (p *Process) Stop(grace time.Duration) (Exit, error) {
	return p.stopIf(grace, func() bool { return clock.Wait(p.exited, grace) })
}

// StopOwn is Stop that does not count what others take from the program of its processors during grace: it lasts ten times as long at
// most, or a second if that is more.
func (p *Process) StopOwn(grace time.Duration) (Exit, error) {
	return p.stopIf(max(10*grace, time.Second), func() bool { return p.exitsWithin(grace) })
}

// stopIf lets the program exit by itself as long as exits waits for it, which is so long at most.
func (p *Process) stopIf(most time.Duration, exits func() bool) (Exit, error) {
	var err error
	p.stopOnce.Do(func() { err = p.stop(most, exits) })
	return p.exit, err
}

// exitsWithin waits for the program to exit, and says whether it has. A program that exits at once is not looked at.
func (p *Process) exitsWithin(grace time.Duration) bool {
	const quick, fewest, looks = 5 * time.Millisecond, 2 * time.Millisecond, 16
	if clock.Wait(p.exited, min(quick, grace/2)) || grace <= 0 {
		return clock.Wait(p.exited, 0)
	}
	start, most := clock.Now(), max(9*grace, time.Second-grace)
	deadline := start.Add(grace - min(quick, grace/2))
	turn := starvation.Begin(p.Starving(), false)
	var given time.Duration
	for {
		until := deadline.Add(given)
		next := clock.Now().Add(max(fewest, grace/looks))
		if turn == nil || next.After(until) {
			next = until
		}
		if clock.Wait(p.exited, clock.Until(next)) {
			return true
		}
		taken := turn.Look()
		if clock.Now().Before(until) {
			continue
		}
		due := taken.Time
		if taken.Ready { // what a thread waits for just now is seen only at a second look
			due += fewest
		}
		if due = min(due, most); due-given < fewest/2 {
			// Its supervisor may wait for a processor with the news.
			return starvation.Ended(p.Starving()) && clock.Wait(p.exited, max(most-given, time.Second))
		}
		given = due
	}
}

// farewellKept is how much is kept of what a program writes after the end of its input.
const farewellKept = 4 << 10

// Farewell is the beginning of what the program wrote to standard output while [Process.Stop] waited for its end.
func (p *Process) Farewell() []byte { return p.farewell }

func (p *Process) stop(most time.Duration, exits func() bool) error {
	p.CloseInput()
	discarded := make(chan struct{})
	go func() { // a program that still has much to say could not exit before it is read
		defer close(discarded)
		deadline := clock.Now().Add(most)
		buf := make([]byte, 4<<10)
		for {
			n, err := p.Read(buf, deadline)
			p.farewell = append(p.farewell, buf[:min(n, farewellKept-len(p.farewell))]...)
			if err != nil {
				return
			}
		}
	}()
	killed := !exits()
	p.runs(false)
	p.guard.kill()
	<-p.exited
	err := p.guard.release()
	p.Interrupt()
	<-discarded
	p.exit.Killed = killed || p.flooded.Load()
	if g, ok := p.guard.(interface{ traces(*Exit) }); ok {
		g.traces(&p.exit)
	}
	if err == nil {
		// Its writers are dead, unless another program has opened the pipe by /proc/PID/fd/2.
		p.stderr.SetReadDeadline(time.Now().Add(drainTimeout))
		<-p.drained
	}
	p.stdout.Close()
	p.stderr.Close()
	return err
}

// Starving is what package starvation looks at to find what others take from the program.
func (p *Process) Starving() starvation.Program {
	if g, ok := p.guard.(interface{ starving() starvation.Program }); ok {
		return g.starving()
	}
	return starvation.Program{}
}
