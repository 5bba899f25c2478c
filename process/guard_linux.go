package process

import (
	"bufio"
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
)

// Guarantees says what this system's process control promises, for `luzhanqi version` and docs.
const Guarantees = "nothing that a program started outlives a game, or the referee, even after kill -9 of the referee; " +
	"not guaranteed: a program that attacks its supervisor and at the same time has the referee killed by SIGKILL"

// supervised is the guard on Linux: the program runs under a supervisor, a second process of this
// same binary (see supervise_linux.go), which waits for the program, adopts every orphan it leaves,
// and kills them all when the lifeline, a pipe that only this process holds, comes to its end: on
// request or because the referee is dead. The supervisor holds none of the program's pipes.
type supervised struct {
	supervisor *exec.Cmd
	lifeline   *os.File
	status     *os.File
	report     *bufio.Reader
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
	name := supervisorName
	if c.Terminal {
		name = terminalSupervisorName
	}
	cmd := &exec.Cmd{
		Path:       "/proc/self/exe", // still this binary when its file has been replaced or deleted
		Args:       append([]string{name, path}, c.Args...),
		Dir:        c.Dir,
		Env:        c.Env,
		Stdin:      streams[0],
		Stdout:     streams[1],
		Stderr:     streams[2],
		ExtraFiles: []*os.File{statusWrite, lifeRead},
		// A session of its own keeps the terminal's signals and the terminal itself away.
		// The death signal wakes a supervisor that the program has stopped.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGCONT},
	}
	if err := family.start(cmd); err != nil {
		statusRead.Close()
		lifeWrite.Close()
		return nil, err
	}
	s := &supervised{supervisor: cmd, lifeline: lifeWrite, status: statusRead, report: bufio.NewReader(statusRead)}
	statusWrite.Close()
	word, rest, err := s.patiently()
	starting := err == nil && word == "starting"
	if starting {
		word, rest, err = s.patiently()
	}
	if err == nil && word == "started" {
		return s, nil
	}
	s.kill()
	s.release()
	if starting && err != nil && s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		return killedAtOnce{}, nil // by the program: who else could have been so quick
	}
	if word == "failed" {
		errno, _ := strconv.Atoi(rest)
		return nil, syscall.Errno(errno)
	}
	return nil, fmt.Errorf("its supervisor ended before the program had started: %v", s.supervisor.ProcessState)
}

// patiently reads a line of the start-up report, which the program can hold up by stopping the
// supervisor.
func (s *supervised) patiently() (word, rest string, err error) {
	for end := time.Now().Add(killPatience); ; {
		s.status.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err = s.line()
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Now().After(end) {
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
	text, err := s.report.ReadString('\n')
	word, rest, _ = strings.Cut(strings.TrimSuffix(text, "\n"), " ")
	return word, rest, err
}

func (s *supervised) wait() Exit {
	word, rest, err := s.line()
	for errors.Is(err, os.ErrDeadlineExceeded) && time.Since(*s.killedAt.Load()) < killPatience {
		killDescendants(s.supervisor.Process.Pid)
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
		s.status.SetReadDeadline(time.Now().Add(wakeInterval))
		word, rest, err = s.line()
	}
	if err != nil { // the supervisor was killed by the program or someone else, or the program cannot be killed
		if err == io.EOF {
			s.reap() // at once: nobody else looks after what the program has started
		}
		return Exit{Code: -1, Signal: syscall.SIGKILL}
	}
	var number, user, system, rss int64
	fmt.Sscan(rest, &number, &user, &system, &rss)
	exit := Exit{Code: int(number), User: time.Duration(user), System: time.Duration(system), MaxRSS: rss}
	if word == "signaled" {
		exit.Code, exit.Signal = -1, syscall.Signal(number)
	}
	return exit
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
	var err error
	for end := time.Now().Add(killPatience); ; {
		s.status.SetReadDeadline(time.Now().Add(wakeInterval))
		_, err = io.Copy(io.Discard, s.status) // at its end when the supervisor has exited
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Now().After(end) {
			break
		}
		// A program that stops its supervisor again and again is killed from here.
		killDescendants(s.supervisor.Process.Pid)
		syscall.Kill(s.supervisor.Process.Pid, syscall.SIGCONT)
	}
	s.status.Close()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		go family.wait(s.supervisor)
		return fmt.Errorf("processes of %q are not dead %v after being killed; supervisor %d goes on waiting for them",
			s.supervisor.Args[2], killPatience, s.supervisor.Process.Pid)
	}
	s.reap()
	return nil
}

// reap waits for a supervisor that has ended. If it was killed, it could not clean up behind the
// program, and that is done here.
func (s *supervised) reap() {
	s.reaped.Do(func() {
		family.wait(s.supervisor)
		if s.supervisor.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
			family.sweep()
		}
	})
}

// killedAtOnce stands for a program that killed its supervisor before that could report, and died of it.
type killedAtOnce struct{}

func (killedAtOnce) wait() Exit     { return Exit{Code: -1, Signal: syscall.SIGKILL} }
func (killedAtOnce) kill()          {}
func (killedAtOnce) release() error { return nil }
