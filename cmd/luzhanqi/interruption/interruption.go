// Package interruption ends a command in good order when a signal asks for it, and lets Ctrl-Z pause it with all its programs.
package interruption

import (
	"context"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// An Interruption is the cause of a context that a signal has ended.
type Interruption struct{ Signal syscall.Signal }

func (i Interruption) Error() string {
	if i.Signal == syscall.SIGHUP {
		return "stopped by SIGHUP: the terminal was closed"
	}
	return "stopped by " + signalName(i.Signal)
}

// ExitCode is that of a process which a signal has ended: a shell's convention.
func (i Interruption) ExitCode() int { return 128 + int(i.Signal) }

// Context returns a context that ends with one of the signals in ending. A second one ends the process
// at once; even then no program is left running.
func Context() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	for _, s := range ending {
		if s != syscall.SIGHUP || !signal.Ignored(s) { // as by nohup
			signal.Notify(signals, s)
		}
	}
	go func() {
		got, ok := <-signals
		if !ok {
			return
		}
		cancel(Interruption{got.(syscall.Signal)})
		if got, ok = <-signals; !ok {
			return
		}
		again := got.(syscall.Signal)
		if again == syscall.SIGQUIT { // as for every program in Go, but for the exit code
			pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		}
		os.Exit(Interruption{again}.ExitCode())
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}
