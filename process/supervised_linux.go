package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"luzhanqi/clock"
)

// Guarantees says what this system's process control promises, for `luzhanqi version` and docs.
const Guarantees = "nothing that a program started outlives a game, or the referee, even after kill -9 of the referee; " +
	"not guaranteed: a program that attacks its supervisor and at the same time has the referee killed by SIGKILL"

// supervised is the guard on Linux: the program runs under a supervisor, a second process of this
// same binary (see supervisor_linux.go), which waits for the program, adopts every orphan it leaves,
// and kills them all when the lifeline, a pipe that only this process holds, comes to its end: on
// request or because the referee is dead. The supervisor holds none of the program's pipes.
type supervised struct {
	supervisor *exec.Cmd
	lifeline   *os.File
	status     *os.File
	reader     *bufio.Reader
	confine    Confinement
	private    *privateDir // nil: none
	killOnce   sync.Once
	reaped     sync.Once
	killedAt   atomic.Pointer[time.Time]
}

func start(c Command, path string, streams [3]*os.File) (guard, error) {
	statusRead, statusWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	defer statusWrite.Close()
	lifeRead, lifeWrite, err := os.Pipe()
	if err != nil {
		statusRead.Close()
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	defer lifeRead.Close()
	orders, err := json.Marshal(supervisorOrder{Terminal: c.Terminal, Confine: c.Confine, Inside: c.inside()})
	if err != nil {
		return nil, fmt.Errorf("write the order of a supervisor: %w", err)
	}
	cmd := &exec.Cmd{
		Path:       "/proc/self/exe", // still this binary when its file has been replaced or deleted
		Args:       append([]string{supervisorName, string(orders), path}, c.Args...),
		Dir:        c.Dir,
		Env:        c.environment(),
		Stdin:      streams[0],
		Stdout:     streams[1],
		Stderr:     streams[2],
		ExtraFiles: []*os.File{statusWrite, lifeRead},
		// A session of its own keeps the terminal's signals and the terminal itself away.
		// The death signal wakes a supervisor that the program has stopped.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGCONT},
	}
	if err := children.start(cmd); err != nil {
		statusRead.Close()
		lifeWrite.Close()
		return nil, err
	}
	s := &supervised{supervisor: cmd, confine: c.Confine, lifeline: lifeWrite, status: statusRead, reader: bufio.NewReader(statusRead)}
	statusWrite.Close()
	word, rest, err := s.within(killTimeout)
	if err == nil && word == "private" {
		if s.private, err = openPrivateDir(rest); err == nil {
			_, err = s.lifeline.Write([]byte{1})
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
		return s, nil
	}
	s.kill()
	remains := s.release()
	switch {
	case remains == nil && starting && err != nil && s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled():
		return killedAtOnce{}, nil // by the program: who else could have been so quick
	case word == "failed":
		errno, _ := strconv.Atoi(rest)
		return nil, errors.Join(syscall.Errno(errno), remains)
	case word == "refused":
		return nil, errors.Join(errors.New(rest), remains)
	case word == "private" || word == "copied":
		return nil, errors.Join(fmt.Errorf("its private directory was not ready after %v", copyTimeout), remains)
	case remains != nil:
		return nil, remains
	}
	return nil, fmt.Errorf("its supervisor ended before the program had started: %v", s.supervisor.ProcessState)
}

// copyTimeout bounds the wait for a private directory, of 1 GiB at most.
const copyTimeout = 2 * time.Minute

// removeTimeout bounds the wait for one to be gone, with whatever the program has put there.
const removeTimeout = time.Minute

// within reads a line of the start-up report, which the program can hold up by stopping the
// supervisor.
func (s *supervised) within(limit time.Duration) (word, rest string, err error) {
	for end := clock.Now().Add(limit); ; {
		s.status.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err = s.line()
		if !errors.Is(err, os.ErrDeadlineExceeded) || clock.Now().After(end) {
			s.status.SetReadDeadline(time.Time{})
			return word, rest, err
		}
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
	}
}

// wakeInterval is how often a supervisor that should have answered long ago is woken.
const wakeInterval = 100 * time.Millisecond

// line reads one line of the supervisor's report.
func (s *supervised) line() (word, rest string, err error) {
	text, err := s.reader.ReadString('\n')
	word, rest, _ = strings.Cut(strings.TrimSuffix(text, "\n"), " ")
	return word, rest, err
}

func (s *supervised) wait() Exit {
	word, rest, err := s.line()
	for errors.Is(err, os.ErrDeadlineExceeded) && time.Since(*s.killedAt.Load()) < killTimeout {
		killDescendants(s.supervisor.Process.Pid)
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
		s.status.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err = s.line()
	}
	if err != nil { // the supervisor was killed by the program or someone else, or the program cannot be killed
		if err == io.EOF {
			// At once, for nobody else looks after what the program has started, but not before the news
			// of the exit, which cannot wait until all of its orphans are found.
			go s.reap()
		}
		return Exit{Code: -1, Signal: syscall.SIGKILL}
	}
	var number, user, system, rss int64
	var exceeded Limit
	fmt.Sscan(rest, &number, &user, &system, &rss, &exceeded)
	exit := Exit{Code: int(number), User: time.Duration(user), System: time.Duration(system), MaxRSS: rss}
	if word == "signaled" {
		exit.Code, exit.Signal = -1, syscall.Signal(number)
	}
	return exit.confined(s.confine, exceeded)
}

// The orders of a pause, on the lifeline.
const (
	pauseOrder  = 's'
	resumeOrder = 'c'
)

func (s *supervised) pause(yes bool) {
	order := byte(resumeOrder)
	if yes {
		order = pauseOrder
	}
	s.lifeline.Write([]byte{order}) // if it is closed, everything is being killed
}

func (s *supervised) kill() {
	s.killOnce.Do(func() {
		now := time.Now()
		s.killedAt.Store(&now)
		s.lifeline.Close()
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT) // the program may have stopped it
		s.status.SetReadDeadline(time.Now().Add(wakeInterval))
	})
}

func (s *supervised) release() error {
	if s.private != nil {
		defer s.private.close()
	}
	var remains error
	removing := false
	for end := clock.Now().Add(killTimeout); ; {
		s.status.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err := s.line()
		switch {
		case err == nil && word == "removing": // all are dead
			removing, end = true, clock.Now().Add(removeTimeout)
		case err == nil && word == "remains":
			remains = errors.New(rest)
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded): // the supervisor has exited
			s.status.Close()
			s.reap()
			if s.private != nil && s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
				remains = s.private.remove()
			}
			return remains
		case clock.Now().After(end) && !removing:
			return s.leave(fmt.Errorf("processes of %q are not dead %v after being killed; supervisor %d goes on waiting for them",
				s.supervisor.Args[3], killTimeout, s.supervisor.Process.Pid))
		case clock.Now().After(end):
			return s.leave(fmt.Errorf("private directory %s of %q is not removed after %v; supervisor %d goes on removing it",
				s.private.path, s.supervisor.Args[3], removeTimeout, s.supervisor.Process.Pid))
		case err != nil && !removing: // a program that stops its supervisor again and again is killed from here.
			killDescendants(s.supervisor.Process.Pid)
			syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
		}
	}
}

// leave gives up waiting for the supervisor.
func (s *supervised) leave(why error) error {
	s.status.Close()
	go children.wait(s.supervisor)
	return why
}

// reap waits for a supervisor that has ended. If it was killed, it could not clean up behind the
// program, and that is done here.
func (s *supervised) reap() {
	s.reaped.Do(func() {
		children.wait(s.supervisor)
		if s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
			children.sweep()
		}
	})
}

// killedAtOnce is the guard of a program whose supervisor was killed before it reported; both are dead.
type killedAtOnce struct{}

func (killedAtOnce) wait() Exit     { return Exit{Code: -1, Signal: syscall.SIGKILL} }
func (killedAtOnce) kill()          {}
func (killedAtOnce) pause(bool)     {}
func (killedAtOnce) release() error { return nil }
