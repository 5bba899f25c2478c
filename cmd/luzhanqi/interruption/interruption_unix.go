//go:build unix

package interruption

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process"
	"luzhanqi/referee/textui"
)

// ending are the signals that end a command in good order, with an exit code of their own. Those from SIGQUIT on would
// make a program in Go end with code 2, which means here that nothing was played.
var ending = signals("SIGHUP", "SIGINT", "SIGTERM",
	"SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGSYS", "SIGSTKFLT", "SIGEMT")

// signals are those of these names that this system has.
func signals(names ...string) (all []syscall.Signal) {
	for _, name := range names {
		if s := unix.SignalNum(name); s != 0 {
			all = append(all, s)
		}
	}
	return all
}

func signalName(s syscall.Signal) string { return unix.SignalName(s) }

// orphaned says whether no shell is there that could continue this process. The system does not let Ctrl-Z stop
// such a one.
func orphaned() bool {
	parent := os.Getppid()
	session, err := unix.Getsid(parent)
	own, _ := unix.Getsid(0)
	return parent <= 1 || err != nil || session != own
}

// Pausable lets Ctrl-Z pause all programs and clocks with this process until end is called. Words are for commands that
// run programs.
func Pausable(words bool) (end func()) {
	tell := func(format string, args ...any) {
		if words {
			fmt.Fprintf(os.Stderr, "luzhanqi: "+format+"\n", args...)
		}
	}
	stops := make(chan os.Signal, 1)
	done, ended := make(chan struct{}), make(chan struct{})
	signal.Notify(stops, syscall.SIGTSTP)
	go func() {
		defer close(ended)
		defer signal.Stop(stops)
		for {
			select {
			case <-done:
				return
			case <-stops:
			}
			if orphaned() {
				continue
			}
			process.PauseAll()
			back := textui.PutAside()
			tell("paused, with all programs and clocks")
			at := time.Now()
			stopSelf() // a program in Go that has caught SIGTSTP is no longer stopped by it
			tell("goes on after %v", time.Since(at).Round(time.Second/10))
			back()
			process.ResumeAll()
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
