package process

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// supervisorName is argument zero of a supervisor, and what `ps` shows.
const supervisorName = "luzhanqi-supervisor"

// terminalSupervisorName is that of one whose program has a terminal.
const terminalSupervisorName = supervisorName + "-terminal"

// A supervisor is this same binary under another name, so that there is nothing to install and
// every program that imports this package, tests included, can start one.
//
// Why not Pdeathsig alone? It is sent when the *thread* that started the program ends, which in Go
// is any of many; it reaches the program only, not its children; and a program can switch it off.
// Why not the process group alone? A child leaves it by setsid, and nobody kills the group when the
// referee is killed by SIGKILL. A subreaper, which orphans are handed to wherever they hide, does
// not depend on the program's good will.
func init() {
	if len(os.Args) > 2 && (os.Args[0] == supervisorName || os.Args[0] == terminalSupervisorName) {
		supervise(os.Args[1], os.Args[2:], os.Args[0] == terminalSupervisorName)
	}
}

// The supervisor's own files, next to the program's standard streams.
const (
	statusFD   = 3 // lines to the referee: starting; started; failed ERRNO; exited CODE USAGE; signaled N USAGE
	lifelineFD = 4 // never written to; its end is the order to kill everything
)

// supervise runs the program, kills what is left of it when it exits or when the referee closes the
// lifeline or dies, and exits when nothing is left. It does not return.
func supervise(path string, args []string, terminal bool) {
	runtime.LockOSThread() // Pdeathsig below is bound to the thread that starts the program
	status := os.NewFile(statusFD, "status")
	lifeline := os.NewFile(lifelineFD, "lifeline")
	syscall.CloseOnExec(statusFD)
	syscall.CloseOnExec(lifelineFD)
	// Caught and dropped rather than ignored: an ignored signal would stay ignored in the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fail(status, err)
	}
	fmt.Fprintln(status, "starting")
	pid, err := syscall.ForkExec(path, args, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   attributes(terminal),
	})
	if err != nil {
		fail(status, err)
	}
	for fd := range 3 { // out of the data path: else the program's end of file would never be seen
		syscall.Close(fd)
	}
	fmt.Fprintln(status, "started")
	var killing atomic.Bool
	go func() {
		lifeline.Read(make([]byte, 1))
		killing.Store(true)
		syscall.Kill(-pid, syscall.SIGKILL) // at once, as far as they have stayed in the group
		killDescendants(os.Getpid())
	}()
	var state syscall.WaitStatus
	var usage syscall.Rusage
	for {
		dead, err := syscall.Wait4(-1, &state, 0, &usage)
		if err == syscall.EINTR {
			continue
		}
		if err != nil { // ECHILD: nothing is left
			os.Exit(0)
		}
		if dead == pid {
			report(status, state, usage)
			killing.Store(true)
			syscall.Kill(-pid, syscall.SIGKILL)
		}
		// Whatever was forked while the last round was killing has by now lost its parent and
		// become a child of this process, which is what ended the wait above: one more round.
		if killing.Load() {
			killDescendants(os.Getpid())
		}
	}
}

// attributes gives the program a process group of its own, by which it is killed; on a terminal, a
// session of its own, whose controlling terminal is its standard input.
func attributes(terminal bool) *syscall.SysProcAttr {
	if terminal {
		return &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0, Pdeathsig: syscall.SIGKILL}
	}
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func fail(status *os.File, err error) {
	errno, _ := err.(syscall.Errno)
	fmt.Fprintln(status, "failed", int(errno))
	os.Exit(0)
}

func report(status *os.File, state syscall.WaitStatus, usage syscall.Rusage) {
	word, number := "exited", state.ExitStatus()
	if state.Signaled() {
		word, number = "signaled", int(state.Signal())
	}
	fmt.Fprintln(status, word, number, usage.Utime.Nano(), usage.Stime.Nano(), usage.Maxrss<<10)
}
