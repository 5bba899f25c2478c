package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/clock"
	"luzhanqi/process/cgroup"
	"luzhanqi/process/passing"
	"luzhanqi/process/privatedir"
	"luzhanqi/process/sandbox"
	"luzhanqi/process/starvation"
)

// Guarantees says what this system's process control promises, for `luzhanqi version` and docs.
const Guarantees = "nothing that a program started outlives a game, or the referee, even after kill -9 of the referee; " +
	"not guaranteed where programs are not isolated: a program that attacks its supervisor and at the same time has the referee killed by SIGKILL"

// supervised is the guard on Linux: the program runs under a supervisor, a second process of this
// same binary (see supervisor_linux.go), which waits for the program, adopts every orphan it leaves,
// and kills them all when its orders, by a socket that only this process holds, come to their end: on
// request or because the referee is dead. The supervisor holds none of the program's pipes.
type supervised struct {
	supervisor *exec.Cmd
	wrapping   *sandbox.Wrapping // nil: bubblewrap has not started it
	said       string            // what bubblewrap has complained of at the end
	told
	control  *os.File
	reader   *bufio.Reader
	confine  Confinement
	private  *privatedir.Dir // nil: none
	killOnce sync.Once
	reaped   sync.Once
	killedAt atomic.Pointer[time.Time]
	group    *cgroup.Group // nil: the supervisor looks after the memory of all
}

// start starts the program at the highest level of isolation that this machine offers.
func start(c Command, path string, streams [3]*os.File) (guard, error) {
	if s := c.Ready.take(c); s != nil {
		if g, err := c.begin(s, streams); err == nil {
			return g, nil
		} // else the usual start finds out what it is
	}
	var reached sandbox.Report
	if c.Sandbox.On() { // what was reached once is never less
		reached = Isolation()
	}
	if c.Sandbox.Profile == sandbox.Sealed && reached.Level != sandbox.Isolated {
		return nil, reached.Sealed()
	}
	for pause := 10 * time.Millisecond; ; pause *= 4 {
		g, err := startBy(reached.By, c, path, streams)
		var machine sandbox.Unavailable
		if !errors.As(err, &machine) {
			return g, err
		}
		if pause > time.Second {
			return nil, fmt.Errorf("this machine isolates programs by %v, and refuses it now: %s", reached.By, machine.Why)
		}
		time.Sleep(pause)
	}
}

// orderFor is what the supervisor of a program is told, and the program's environment.
func orderFor(way sandbox.Way, c Command, path string) (order supervisorOrder, env []string, err error) {
	env = c.environment()
	view, err := c.Sandbox.View(way, c.Dir, path, c.Args, env)
	if err != nil {
		return order, nil, err
	}
	if view != nil {
		env = view.Environment(env, c.Env)
		each, all := share()
		if c.Confine.Processes == 0 && c.Confine.Threads == 0 {
			c.Confine.Threads = each
		}
		switch {
		case view.User == 0 && (&supervisorOrder{View: view, Confine: c.Confine}).canStay(): // they count together
			order.Tasks = all
		case c.Confine.Threads != 0:
			order.Tasks = c.Confine.Threads + supervisorTasks
		}
	}
	order.Path, order.Terminal, order.Confine, order.Inside, order.View = path, c.Terminal, c.Confine, c.inside(), view
	return order, env, nil
}

func startBy(way sandbox.Way, c Command, path string, streams [3]*os.File) (guard, error) {
	order, env, err := orderFor(way, c, path)
	if err != nil {
		return nil, err
	}
	if order.canStay() {
		s, err := beforehand(c, env, order)
		if err != nil {
			return nil, err
		}
		return c.begin(s, streams)
	}
	s, err := startGrouped(c, env, order, streams)
	if err != nil {
		return nil, err
	}
	word, rest, err := s.within(killTimeout)
	if err == nil && word == "private" {
		if s.private, err = privatedir.Open(rest); err == nil {
			_, err = s.control.Write([]byte{1})
		}
		if err != nil {
			s.kill()
			return nil, errors.Join(err, s.release())
		}
		word, rest, err = s.within(copyTimeout)
	}
	if err == nil && word == "copied" {
		word, rest, err = s.within(killTimeout)
	}
	starting := err == nil && word == "starting"
	if starting {
		word, rest, err = s.within(killTimeout)
	}
	if err == nil && word == "started" {
		s.leaveGroup()
		return s, nil
	}
	s.kill()
	remains := s.release()
	switch {
	case remains == nil && err != nil && (starting && s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled() || s.exceeded(NoLimit) != NoLimit):
		return killedAtOnce{s.killedExit()}, nil // by the program: who else could have been so quick; or for want of memory to start
	case word == "failed" || word == "refused" || word == "unavailable":
		return nil, errors.Join(startError(word, rest), remains)
	case word == "private" || word == "copied":
		return nil, errors.Join(fmt.Errorf("its private directory was not ready after %v", copyTimeout), remains)
	case remains != nil:
		return nil, remains
	}
	return nil, s.unstarted()
}

// unstarted is why a supervisor has ended before its program had started, as far as is known.
func (s *supervised) unstarted() error {
	if s.said != "" {
		return fmt.Errorf("bubblewrap: %s", s.said)
	}
	return fmt.Errorf("its supervisor ended before the program had started: %v", s.supervisor.ProcessState)
}

// startSupervisor starts one and gives it its order.
func startSupervisor(c Command, env []string, order supervisorOrder, streams [3]*os.File) (*supervised, error) {
	if order.View != nil && order.View.By == sandbox.ByBubblewrap {
		order.View.Env = env // which is not bubblewrap's
	}
	text, err := json.Marshal(order)
	if err != nil {
		return nil, fmt.Errorf("write the order of a supervisor: %w", err)
	}
	control, theirs, err := passing.Pair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close() // or the end of a supervisor would never be seen
	cmd := &exec.Cmd{
		Path:       "/proc/self/exe", // still this binary when its file has been replaced or deleted
		Args:       append([]string{supervisorName}, c.Args...),
		Dir:        c.Dir,
		Env:        env,
		ExtraFiles: []*os.File{theirs},
		// A session of its own keeps the terminal's signals and the terminal itself away.
		// The death signal wakes a supervisor that the program has stopped.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGCONT},
	}
	if streams[0] != nil { // a nil *os.File is no nil io.Reader
		cmd.Stdin, cmd.Stdout, cmd.Stderr = streams[0], streams[1], streams[2]
	}
	disk := int64(0)
	var wrapping *sandbox.Wrapping
	if v := order.View; v != nil {
		v.Attributes(cmd.SysProcAttr)
		disk = v.Bytes()
		if v.By == sandbox.ByBubblewrap {
			if wrapping, err = v.Wrap(cmd, streams); err != nil {
				control.Close()
				return nil, err
			}
			defer wrapping.Close()
		}
	}
	order.group.Attributes(cmd.SysProcAttr)
	if err := children.start(cmd); err != nil {
		control.Close()
		return nil, order.View.StartError(err)
	}
	s := &supervised{
		supervisor: cmd, wrapping: wrapping, told: told{program: c.Args[0], disk: disk}, confine: c.Confine,
		group: order.group, control: control, reader: bufio.NewReader(control),
	}
	control.Write(append(text, '\n')) // a supervisor that is dead already says so by the end of its lines
	return s, nil
}

// copyTimeout bounds the wait for a private directory, of 1 GiB at most.
const copyTimeout = 2 * time.Minute

// removeTimeout bounds the wait for one to be gone, with whatever the program has put there.
const removeTimeout = time.Minute

// within reads a line of the start-up report, which the program can hold up by stopping the
// supervisor.
func (s *supervised) within(limit time.Duration) (word, rest string, err error) {
	for end := clock.Now().Add(limit); ; {
		s.control.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err = s.line()
		if !errors.Is(err, os.ErrDeadlineExceeded) || clock.Now().After(end) {
			s.control.SetReadDeadline(time.Time{})
			return word, rest, err
		}
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
	}
}

// wakeInterval is how often a supervisor that should have answered long ago is woken.
const wakeInterval = 100 * time.Millisecond

// line reads one line of the supervisor's report.
func (s *supervised) line() (word, rest string, err error) { return readLine(s.reader) }

func readLine(from *bufio.Reader) (word, rest string, err error) {
	text, err := from.ReadString('\n')
	word, rest, _ = strings.Cut(strings.TrimSuffix(text, "\n"), " ")
	return word, rest, err
}

func (s *supervised) wait() Exit {
	word, rest, err := s.line()
	for errors.Is(err, os.ErrDeadlineExceeded) && time.Since(*s.killedAt.Load()) < killTimeout {
		killDescendants(s.supervisor.Process.Pid)
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
		s.control.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err = s.line()
	}
	if err != nil { // the supervisor was killed by the program or someone else, or the program cannot be killed
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			// At once, for nobody else looks after what the program has started, but not before the news
			// of the exit, which cannot wait until all of its orphans are found.
			go s.reap()
		}
		return s.killedExit()
	}
	return exitOf(word, rest, func(e Exit, l Limit) Exit { return e.confined(s.confine, s.exceeded(l)) })
}

// killedExit is the end of a program that was killed together with its supervisor.
func (s *supervised) killedExit() Exit {
	exit := Exit{Code: -1, Signal: syscall.SIGKILL}
	if limit := s.exceeded(NoLimit); limit != NoLimit {
		return exit.confined(s.confine, limit)
	}
	return exit
}

// The orders of a pause, on the control.
const (
	pauseOrder  = 's'
	resumeOrder = 'c'
)

func pauseOrderFor(yes bool) byte {
	if yes {
		return pauseOrder
	}
	return resumeOrder
}

func (s *supervised) pause(yes bool) {
	s.control.Write([]byte{pauseOrderFor(yes)}) // if its side is closed, everything is being killed
}

func (s *supervised) starving() starvation.Program {
	return starvation.Program{Root: s.first(), CPUs: len(s.confine.CPUs)}
}

// first is the process id of the supervisor, also where bubblewrap has started it, whose only child it is.
func (s *supervised) first() int {
	pid := s.supervisor.Process.Pid
	if s.wrapping != nil {
		for _, child := range childrenOf(pid)(pid, threadsOf(pid)) {
			return child
		}
	}
	return pid
}

func (s *supervised) kill() {
	s.killOnce.Do(func() {
		now := time.Now()
		s.killedAt.Store(&now)
		shutDown(s.control)
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT) // the program may have stopped it
		s.control.SetReadDeadline(time.Now().Add(wakeInterval))
	})
}

// shutDown ends this side of a control: the order to kill everything.
func shutDown(control *os.File) {
	if raw, err := control.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { unix.Shutdown(int(fd), unix.SHUT_WR) })
	}
}

func (s *supervised) family() Family { return Family{Root: s.first()} }

func (s *supervised) release() error {
	if s.private != nil {
		defer s.private.Close()
	}
	var remains error
	removing := false
	for end := clock.Now().Add(killTimeout); ; {
		s.control.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err := s.line()
		switch {
		case err == nil && word == "removing": // all are dead
			removing, end = true, clock.Now().Add(removeTimeout)
		case err == nil:
			remains = errors.Join(remains, s.trace(word, rest))
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded): // the supervisor has exited
			s.control.Close()
			s.reap()
			if s.private != nil && s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
				remains = s.private.Remove()
			}
			return errors.Join(remains, s.group.Remove())
		case clock.Now().After(end) && !removing:
			return s.leave(fmt.Errorf("processes of %q are not dead %v after being killed; supervisor %d goes on waiting for them",
				s.program, killTimeout, s.supervisor.Process.Pid))
		case clock.Now().After(end):
			return s.leave(fmt.Errorf("private directory %s of %q is not removed after %v; supervisor %d goes on removing it",
				s.private.Path, s.program, removeTimeout, s.supervisor.Process.Pid))
		case err != nil && !removing: // a program that stops its supervisor again and again is killed from here.
			killDescendants(s.supervisor.Process.Pid)
			syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
		}
	}
}

// leave gives up waiting for the supervisor.
func (s *supervised) leave(why error) error {
	s.control.Close()
	go children.wait(s.supervisor)
	return why
}

// reap waits for a supervisor that has ended. If it was killed, it could not clean up behind the
// program, and that is done here.
func (s *supervised) reap() {
	s.reaped.Do(func() {
		s.group.Await()
		children.wait(s.supervisor)
		s.said = s.wrapping.Said()
		if s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
			s.group.Kill()
			children.sweep()
		}
	})
}

// killedAtOnce is the guard of a program whose supervisor was killed before it reported; both are dead.
type killedAtOnce struct{ exit Exit }

func (k killedAtOnce) wait() Exit   { return k.exit }
func (killedAtOnce) kill()          {}
func (killedAtOnce) pause(bool)     {}
func (killedAtOnce) release() error { return nil }

func (killedAtOnce) family() Family { return Family{} }
