package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// interruption is the cause of a context that a signal has ended.
type interruption struct{ signal syscall.Signal }

func (i interruption) Error() string {
	if i.signal == syscall.SIGHUP {
		return "stopped by SIGHUP: the terminal was closed"
	}
	return "stopped by " + signalName(i.signal)
}

// interruptible returns a context that ends with one of the signals in ending. A second one ends the process
// at once; even then no program is left running.
func interruptible() (context.Context, func()) {
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
		cancel(interruption{got.(syscall.Signal)})
		if got, ok = <-signals; !ok {
			return
		}
		again := got.(syscall.Signal)
		if again == syscall.SIGQUIT { // as for every program in Go, but for the exit code
			pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		}
		os.Exit(exitInterrupted + int(again))
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}
