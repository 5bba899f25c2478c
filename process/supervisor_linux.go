package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"luzhanqi/process/cgroup"
	"luzhanqi/process/privatedir"
	"luzhanqi/process/sandbox"
)

// supervisorName is argument zero of a supervisor, and what `ps` shows. The others are the program and its arguments:
// nothing that it does not know itself, since every program sees the command line of its supervisor.
const supervisorName = "luzhanqi-supervisor"

// supervisorOrder is what a supervisor is told besides the command, as a line of JSON.
type supervisorOrder struct {
	Path     string
	Terminal bool          `json:",omitempty"` // the program has one
	Confine  Confinement   `json:",omitzero"`
	Inside   string        `json:",omitempty"` // path of the program in its private directory, if it is there
	View     *sandbox.View `json:",omitempty"` // nil: it sees what the referee sees
	Probe    bool          `json:",omitempty"` // there is no program: what can be enforced is tried
	Args     []string      `json:",omitempty"` // the program's, for a supervisor that stays
	Tasks    int           `json:",omitempty"` // what the kernel lets the program's user have of processes and threads; 0: as many as before

	group *cgroup.Group // in which it is started; it knows nothing of that
}

// ownRole is what this binary does under another name than its own; nil: nothing.
func ownRole(name string) func(args []string) {
	switch name {
	case supervisorName:
		return supervise
	case stayingName:
		return superviseAll
	case limiterName:
		return limiter
	case sweeperName:
		return sweeper
	}
	return nil
}

// Why not Pdeathsig alone? It is sent when the *thread* that started the program ends, which in Go
// is any of many; it reaches the program only, not its children; and a program can switch it off.
// Why not the process group alone? A child leaves it by setsid, and nobody kills the group when the
// referee is killed by SIGKILL. A subreaper, which orphans are handed to wherever they hide, does
// not depend on the program's good will.

// controlFD is the supervisor's own file, next to the program's standard streams: a socket to the referee. A socket
// cannot be opened by way of /proc, so nobody else can keep it open.
//
// From the referee comes the order, then one byte when it has opened the private directory, and the end, which is the
// order to kill everything; until then, pauseOrder and resumeOrder. To the referee go lines, in this order; those in brackets concern private directories:
//
//	[private PATH; copied]; starting; started
//	exited CODE USAGE LIMIT, or signaled NUMBER USAGE LIMIT
//	[removing]; tried REFUSAL and changed FILE, any number; [remains REASON, if it does]
//
// or, instead of what is left of them, failed ERRNO, refused REASON or, if this machine refuses the level of
// isolation, unavailable REASON. It ends when nothing is left. A probe has one line: reached LANDLOCK, or a reason.
const controlFD = 3

// supervise runs the program, kills what is left of it when it exits or when the referee ends its side of the
// control or dies, and exits when nothing is left. It does not return.
func supervise(args []string) {
	runtime.LockOSThread() // Pdeathsig below is bound to the thread that starts the program
	control := os.NewFile(controlFD, "control")
	s := &supervisor{tried: newRefusals(), control: control, orders: bufio.NewReader(control), cut: make(chan struct{})}
	// These, and what the referee itself has inherited, are not the program's.
	if unix.CloseRange(controlFD, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) != nil { // Linux before 5.11
		syscall.CloseOnExec(controlFD)
	}
	// Caught and dropped rather than ignored: an ignored signal would stay ignored in the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	line, _ := s.orders.ReadBytes('\n')
	if json.Unmarshal(line, &s.order) != nil {
		s.fail(syscall.EINVAL)
	}
	path := s.order.Path
	if v := s.order.View; v != nil && v.By == sandbox.ByBubblewrap { // which the referee takes for this process
		unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		s.fail(err)
	}
	dir := ""
	if s.isolated() {
		dir = s.order.View.Dir
		if s.order.Inside != "" {
			path = filepath.Join(dir, s.order.Inside)
		}
		s.enter()
		go s.awaitEnd()
		if err := s.inside.CopyOriginal(s.order.View, s.cut); err != nil {
			s.refuse(err)
		}
	} else if s.order.Probe {
		go s.awaitEnd()
	} else if s.order.Confine.Private || s.order.View != nil {
		dir = s.makePrivate()
		if s.order.Inside != "" {
			path = filepath.Join(dir, s.order.Inside)
		}
	} else {
		go s.awaitEnd()
	}
	if s.order.Probe {
		s.probe()
	}
	fmt.Fprintln(s.control, "starting")
	var err error
	if s.program, err = s.start(path, args, dir); err != nil {
		if _, ok := err.(syscall.Errno); !ok {
			s.refuseView(err)
		}
		s.fail(err)
	}
	for fd := range 3 { // out of the data path: else the program's end of file would never be seen
		syscall.Close(fd)
	}
	fmt.Fprintln(s.control, "started")
	s.watch()
	s.reap()
	s.report()
	s.removePrivate()
	os.Exit(0)
}

// watch ends the program at the end of the orders, and when it exceeds its limits.
func (s *supervisor) watch() {
	go func() {
		<-s.cut
		s.end(NoLimit)
	}()
	if s.order.Confine.watched() {
		s.watching.Go(s.watchLimits)
	}
	if s.inside != nil && s.inside.Places != nil {
		s.watching.Go(s.watchDisk)
	}
}

type supervisor struct {
	order   supervisorOrder
	control *os.File
	orders  *bufio.Reader
	cut     chan struct{}   // closed at the end of the orders
	program int             // its process id
	private *privatedir.Dir // its private directory, if it has one

	stays    *staying        // nil: this process is there for the one program
	buried   bool            // process 1 of its namespace, with all that was in it
	watching sync.WaitGroup  // of those that look after it
	inside   *sandbox.Inside // of its view, if it has one
	tried    *refusals       // system calls
	memory   memoryWatch
	killing  atomic.Bool
	overfull atomic.Bool  // its private disks hold more files than they may
	exceeded atomic.Int32 // the Limit for which everything is killed
}

// awaitEnd waits for the end of the orders, and does what is ordered until then.
func (s *supervisor) awaitEnd() {
	for {
		order, err := s.orders.ReadByte()
		if err != nil {
			close(s.cut)
			return
		}
		if order == goOrder {
			s.stays.receive(s.orders)
		} else if !s.killing.Load() {
			s.pause(order == pauseOrder)
		}
	}
}

// start starts the program, by way of a limiter if it has to limit itself.
func (s *supervisor) start(path string, args []string, dir string) (pid int, err error) {
	c := s.order.Confine
	if s.isolated() && !s.sharesUser() {
		shareOut(0, s.order.Tasks)
	}
	attr := &syscall.ProcAttr{Dir: dir, Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: attributes(s.order.Terminal, c.watched() || s.order.View != nil)}
	if s.stays != nil {
		attr.Env, attr.Files = s.order.View.Env, s.stays.streams()
		attr.Sys.Pdeathsig = 0 // process 1 of its namespace has it
	}
	if len(c.CPUs) > 0 && s.order.View == nil { // this thread's are inherited; the others of this process go where they like
		cores := Cores()
		if err := pin(c.CPUs); err != nil {
			return 0, err
		}
		defer pin(cores)
	}
	if !c.needsLimiter() {
		return s.fork(path, args, attr)
	}
	failure, theirs, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer failure.Close()
	attr.Files = append(attr.Files, theirs.Fd())
	pid, err = s.fork("/proc/self/exe", c.limiterArgs(path, args), attr)
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

// isolated says whether this process is the first of its own namespaces.
func (s *supervisor) isolated() bool {
	return s.order.View != nil && s.order.View.Isolated()
}

// enter builds the program's view of the file system.
func (s *supervisor) enter() {
	unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // nobody traces it, or reads its memory
	if env := s.order.View.Env; env != nil {
		os.Clearenv()
		for _, e := range env {
			name, value, _ := strings.Cut(e, "=")
			os.Setenv(name, value)
		}
	}
	var err error
	if s.inside, err = s.order.View.Enter(); err != nil {
		s.refuseView(err)
	}
}

// refuseView tells the referee why there is no program: because of this machine, or of what was asked for.
func (s *supervisor) refuseView(err error) {
	var machine sandbox.Unavailable
	if errors.As(err, &machine) {
		fmt.Fprintln(s.control, "unavailable", strings.ReplaceAll(machine.Why, "\n", " "))
		s.exit()
	}
	s.refuse(err)
}

// probe restricts a thread as one that starts a program, and tells the referee what is enforced.
func (s *supervisor) probe() {
	restricted := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		r, err := s.order.View.Restrict()
		if err != nil {
			s.refuseView(err)
		}
		fmt.Fprintln(s.control, "reached", r.Landlock)
		close(restricted)
		select {}
	}()
	<-restricted
	os.Exit(0)
}

// fork starts the program, or its limiter. From a view it is forked from a thread that was restricted before, and that
// lives until everything is dead.
func (s *supervisor) fork(path string, args []string, attr *syscall.ProcAttr) (pid int, err error) {
	if s.order.View == nil {
		return syscall.ForkExec(path, args, attr)
	}
	if s.stays != nil { // this is that thread
		return s.forkRestricted(path, args, attr)
	}
	forked := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		pid, err = s.forkRestricted(path, args, attr)
		close(forked)
		<-s.tried.enough
	}()
	<-forked
	return pid, err
}

func (s *supervisor) forkRestricted(path string, args []string, attr *syscall.ProcAttr) (pid int, err error) {
	if cpus := s.order.Confine.CPUs; len(cpus) > 0 { // before it is forbidden
		if err := pin(cpus); err != nil {
			return 0, err
		}
	}
	restricted, err := s.order.View.Restrict()
	if err != nil {
		return 0, err
	}
	go s.tried.serve(restricted)
	return syscall.ForkExec(path, args, attr)
}

// attributes gives the program a process group of its own, by which it is killed; apart, a session, so that
// the scheduler counts it as one (see realtime) and no terminal is reached; on a terminal, a session whose
// controlling terminal is its standard input.
func attributes(terminal, apart bool) *syscall.SysProcAttr {
	switch {
	case terminal:
		return &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0, Pdeathsig: syscall.SIGKILL}
	case apart:
		return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	}
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// fail tells the referee that no program could be started.
func (s *supervisor) fail(err error) {
	errno := errnoOf(err)
	fmt.Fprintln(s.control, "failed", int(errno))
	s.removePrivate()
	s.exit()
}

func (s *supervisor) sendExit(state syscall.WaitStatus, usage syscall.Rusage) {
	word, number := "exited", state.ExitStatus()
	if state.Signaled() {
		word, number = "signaled", int(state.Signal())
	}
	fmt.Fprintln(s.control, word, number, usage.Utime.Nano(), usage.Stime.Nano(), usage.Maxrss<<10, s.exceeded.Load())
}

// makePrivate copies the working directory, points the environment to the copy and returns its path. The
// supervisor makes and removes it, since it is there when the referee is killed. Only if the program has
// killed the supervisor, the referee removes it.
// Of a program that has a view without namespaces, only temporary files and HOME go there, unless its directory is private.
func (s *supervisor) makePrivate() string {
	var err error
	if s.private, err = privatedir.New(); err != nil {
		s.refuse(err)
	}
	dir := s.private.Path
	fmt.Fprintln(s.control, "private", dir)
	if _, err := s.orders.ReadByte(); err != nil { // the referee is dead, or will not have it
		s.removePrivate()
		os.Exit(0)
	}
	go s.awaitEnd()
	owner := 0
	if s.order.View != nil {
		s.order.View.Private, owner = dir, s.order.View.User
	}
	if s.order.Confine.Private {
		if err := s.private.CopyFrom(".", owner, s.cut); err != nil {
			s.refuse(err)
		}
	}
	if owner != 0 {
		if err := s.private.Chown(owner); err != nil {
			s.refuse(err)
		}
	}
	for _, variable := range privateVariables {
		os.Setenv(variable, dir)
	}
	fmt.Fprintln(s.control, "copied")
	if !s.order.Confine.Private {
		return ""
	}
	os.Setenv("PWD", dir)
	return dir
}

// refuse tells the referee in words why no program could be started.
func (s *supervisor) refuse(err error) {
	fmt.Fprintln(s.control, "refused", strings.ReplaceAll(err.Error(), "\n", " "))
	s.removePrivate()
	s.exit()
}

func (s *supervisor) removePrivate() {
	if s.private == nil {
		return
	}
	fmt.Fprintln(s.control, "removing")
	if err := s.private.Remove(); err != nil {
		fmt.Fprintln(s.control, "remains", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}
