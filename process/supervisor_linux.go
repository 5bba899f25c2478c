package process

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// supervisorName is argument zero of a supervisor, and what `ps` shows. The others are its order as
// JSON, the path of the program and the program's arguments.
const supervisorName = "luzhanqi-supervisor"

// supervisorOrder is what a supervisor is told besides the command.
type supervisorOrder struct {
	Terminal bool        `json:",omitempty"` // the program has one
	Confine  Confinement `json:",omitzero"`
	Inside   string      `json:",omitempty"` // path of the program in its private directory, if it is there
}

// ownRole is what this binary does under another name than its own; nil: nothing.
func ownRole(name string) func(orders, path string, args []string) {
	switch name {
	case supervisorName:
		return supervise
	case limiterName:
		return limiter
	}
	return nil
}

// A supervisor is this same binary under another name; see [Reexec].
//
// Why not Pdeathsig alone? It is sent when the *thread* that started the program ends, which in Go
// is any of many; it reaches the program only, not its children; and a program can switch it off.
// Why not the process group alone? A child leaves it by setsid, and nobody kills the group when the
// referee is killed by SIGKILL. A subreaper, which orphans are handed to wherever they hide, does
// not depend on the program's good will.

// The supervisor's own files, next to the program's standard streams.
const (
	// statusFD takes lines to the referee, in this order; those in brackets concern private directories:
	//	[private PATH; copied]; starting; started
	//	exited CODE USAGE LIMIT, or signaled NUMBER USAGE LIMIT
	//	[removing; remains REASON, if it does]
	// or, instead of what is left of them, failed ERRNO or refused REASON. It ends when nothing is left.
	statusFD = 3
	// lifelineFD ends as the order to kill everything. All that is ever written to it is one byte,
	// when the referee has opened the private directory, and then pauseOrder and resumeOrder.
	lifelineFD = 4
)

// supervise runs the program, kills what is left of it when it exits or when the referee closes the
// lifeline or dies, and exits when nothing is left. It does not return.
func supervise(orders, path string, args []string) {
	runtime.LockOSThread() // Pdeathsig below is bound to the thread that starts the program
	s := &supervisor{status: os.NewFile(statusFD, "status"), lifeline: os.NewFile(lifelineFD, "lifeline"), cut: make(chan struct{})}
	syscall.CloseOnExec(statusFD)
	syscall.CloseOnExec(lifelineFD)
	// Caught and dropped rather than ignored: an ignored signal would stay ignored in the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if json.Unmarshal([]byte(orders), &s.order) != nil {
		s.fail(syscall.EINVAL)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		s.fail(err)
	}
	dir := ""
	if s.order.Confine.Private {
		dir = s.makePrivate()
		if s.order.Inside != "" {
			path = filepath.Join(dir, s.order.Inside)
		}
	} else {
		go s.awaitEnd()
	}
	fmt.Fprintln(s.status, "starting")
	var err error
	if s.program, err = s.start(path, args, dir); err != nil {
		s.fail(err)
	}
	for fd := range 3 { // out of the data path: else the program's end of file would never be seen
		syscall.Close(fd)
	}
	fmt.Fprintln(s.status, "started")
	go func() {
		<-s.cut
		s.end(NoLimit)
	}()
	if s.order.Confine.watched() {
		go s.watchLimits()
	}
	s.reap()
	s.removePrivate()
	os.Exit(0)
}

type supervisor struct {
	order    supervisorOrder
	status   *os.File
	lifeline *os.File
	cut      chan struct{} // closed at the end of the lifeline
	program  int           // its process id
	private  *privateDir   // its private directory, if it has one

	killing  atomic.Bool
	exceeded atomic.Int32 // the Limit for which everything is killed
}

// awaitEnd waits for the end of the lifeline, and does what is ordered until then.
func (s *supervisor) awaitEnd() {
	order := make([]byte, 1)
	for {
		if n, _ := s.lifeline.Read(order); n == 0 {
			close(s.cut)
			return
		}
		if !s.killing.Load() {
			s.pause(order[0] == pauseOrder)
		}
	}
}

// start starts the program, by way of a limiter if it has to limit itself.
func (s *supervisor) start(path string, args []string, dir string) (pid int, err error) {
	c := s.order.Confine
	attr := &syscall.ProcAttr{Dir: dir, Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: attributes(s.order.Terminal, c.watched())}
	if len(c.CPUs) > 0 { // this thread's are inherited; the others of this process go where they like
		cores := Cores()
		if err := pin(c.CPUs); err != nil {
			return 0, err
		}
		defer pin(cores)
	}
	if !c.needsLimiter() {
		return syscall.ForkExec(path, args, attr)
	}
	failure, theirs, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer failure.Close()
	attr.Files = append(attr.Files, theirs.Fd())
	pid, err = syscall.ForkExec("/proc/self/exe", c.limiterArgs(path, args), attr)
	theirs.Close()
	if err != nil {
		return 0, err
	}
	if err := limiterFailure(failure); err != nil {
		syscall.Wait4(pid, nil, 0, nil)
		return 0, err
	}
	return pid, nil
}

// attributes gives the program a process group of its own, by which it is killed; if it is watched, a
// session, see realtime; on a terminal, a session whose controlling terminal is its standard input.
func attributes(terminal, watched bool) *syscall.SysProcAttr {
	switch {
	case terminal:
		return &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0, Pdeathsig: syscall.SIGKILL}
	case watched:
		return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	}
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// fail tells the referee that no program could be started.
func (s *supervisor) fail(err error) {
	errno := errnoOf(err)
	fmt.Fprintln(s.status, "failed", int(errno))
	s.removePrivate()
	os.Exit(0)
}

func (s *supervisor) sendExit(state syscall.WaitStatus, usage syscall.Rusage) {
	word, number := "exited", state.ExitStatus()
	if state.Signaled() {
		word, number = "signaled", int(state.Signal())
	}
	fmt.Fprintln(s.status, word, number, usage.Utime.Nano(), usage.Stime.Nano(), usage.Maxrss<<10, s.exceeded.Load())
}

// makePrivate copies the working directory, points the environment to the copy and returns its path. The
// supervisor makes and removes it, since it is there when the referee is killed. Only if the program has
// killed the supervisor, the referee removes it.
func (s *supervisor) makePrivate() string {
	var err error
	if s.private, err = newPrivateDir(); err != nil {
		s.refuse(err)
	}
	dir := s.private.path
	fmt.Fprintln(s.status, "private", dir)
	if n, _ := s.lifeline.Read(make([]byte, 1)); n == 0 { // the referee is dead, or will not have it
		s.removePrivate()
		os.Exit(0)
	}
	go s.awaitEnd()
	if err := s.private.copyFrom(".", s.cut); err != nil {
		s.refuse(err)
	}
	for _, variable := range privateVariables {
		os.Setenv(variable, dir)
	}
	os.Setenv("PWD", dir)
	fmt.Fprintln(s.status, "copied")
	return dir
}

// refuse tells the referee in words why no program could be started.
func (s *supervisor) refuse(err error) {
	fmt.Fprintln(s.status, "refused", strings.ReplaceAll(err.Error(), "\n", " "))
	s.removePrivate()
	os.Exit(0)
}

func (s *supervisor) removePrivate() {
	if s.private == nil {
		return
	}
	fmt.Fprintln(s.status, "removing")
	if err := s.private.remove(); err != nil {
		fmt.Fprintln(s.status, "remains", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}
