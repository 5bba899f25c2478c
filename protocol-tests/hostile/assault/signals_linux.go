package assault

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/check/attack"
)

// signalling sends signals to the referee; the test sees what they did.
func signalling(signals ...unix.Signal) func(*Scene) (string, error) {
	return func(s *Scene) (string, error) {
		var errs []error
		for _, t := range s.Targets() {
			if t.PID != s.Referee.PID {
				continue
			}
			for _, signal := range signals {
				err := unix.Kill(t.PID, signal)
				if err == nil {
					return fmt.Sprintf("sent %v to %v", signal, t), nil
				}
				errs = append(errs, fmt.Errorf("%v to %v: %w", signal, t, err))
			}
		}
		return "", errors.Join(errs...)
	}
}

// outwait stops the referee on the attacker's own clock, thinks longer than it may, and wakes it again.
func outwait(s *Scene) (string, error) {
	if err := unix.Kill(s.Referee.PID, unix.SIGSTOP); err != nil || !s.Seen(s.Referee) {
		return "", fmt.Errorf("stop the referee: %w", err)
	}
	time.Sleep(3 * time.Second)
	return attack.Got(unix.Kill(s.Referee.PID, unix.SIGCONT), "thought 3s while the referee stood still")
}

// signalByPipe has the kernel send the signal: to the owner of a pipe, when there is something to read.
func signalByPipe(signal unix.Signal) func(*Scene) (string, error) {
	return func(s *Scene) (string, error) {
		var ends [2]int
		if err := unix.Pipe(ends[:]); err != nil {
			return "", err
		}
		if !s.Seen(s.Referee) {
			return "", errors.New("there is no such process")
		}
		for _, c := range []struct{ command, argument int }{
			{unix.F_SETSIG, int(signal)}, {unix.F_SETOWN, s.Referee.PID}, {unix.F_SETFL, unix.O_ASYNC | unix.O_NONBLOCK},
		} {
			if _, err := unix.FcntlInt(uintptr(ends[0]), c.command, c.argument); err != nil {
				return "", fmt.Errorf("fcntl %d: %w", c.command, err)
			}
		}
		_, err := unix.Write(ends[1], []byte("x"))
		return "", err // whether it was delivered, the referee's parent sees
	}
}

// opponentStream writes to a standard stream of the opponent, once.
func opponentStream(fd int, text string) func(*Scene) (string, error) {
	return againstOpponent(fmt.Sprintf("wrote %q to descriptor %d of", text, fd), func(pid int) error {
		file, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", pid, fd), os.O_WRONLY|unix.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = file.WriteString(text)
		return err
	})
}

// againstOpponent does something to the opponent.
func againstOpponent(what string, do func(pid int) error) func(*Scene) (string, error) {
	return func(s *Scene) (string, error) {
		var tries []func() (string, error)
		for _, t := range s.Opponents() {
			tries = append(tries, func() (string, error) { return attack.Got(do(t.PID), "%s %v", what, t) })
		}
		if tries == nil {
			return "", errors.New("no other program is to be seen")
		}
		return attack.Every(tries...)
	}
}

// killEveryone sends a signal to whoever can be reached, but only where that is nobody else.
func killEveryone(s *Scene) (string, error) {
	if !s.Enclosed() {
		return "", errors.New("not tried: others would be hurt")
	}
	unix.Setpriority(unix.PRIO_USER, unix.Getuid(), 19)
	// The attacker's own player must play on: it is stopped and woken again.
	err := unix.Kill(-1, unix.SIGSTOP)
	time.Sleep(50 * time.Millisecond)
	return "", errors.Join(err, unix.Kill(-1, unix.SIGCONT))
}

// killSupervisor kills the parent of the player.
func killSupervisor(s *Scene) (string, error) {
	if s.Supervisor().PID == 0 {
		return "", errors.New("there is no supervisor to be seen")
	}
	return "", unix.Kill(s.Supervisor().PID, unix.SIGKILL)
}

// signalSupervisor sends it all that its language's runtime might answer by ending.
func signalSupervisor(s *Scene) (string, error) {
	if s.Supervisor().PID == 0 {
		return "", errors.New("there is no supervisor to be seen")
	}
	var errs []error
	for signal := unix.Signal(1); signal < 65; signal++ {
		switch signal {
		case unix.SIGKILL, unix.SIGSTOP, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU:
			continue // see the attacks of that name
		}
		errs = append(errs, unix.Kill(s.Supervisor().PID, signal))
	}
	return "", errors.Join(errs...)
}

// stopSupervisor goes on stopping it from a process of its own, as long as the game lasts.
func stopSupervisor(s *Scene) (string, error) {
	if s.Supervisor().PID == 0 {
		return "", errors.New("there is no supervisor to be seen")
	}
	return daemon(s, "stopper", fmt.Sprint(s.Supervisor().PID))
}

// stopper is what that process does.
func stopper(pid int) {
	for end := time.Now().Add(daemonLife); time.Now().Before(end); time.Sleep(time.Millisecond) {
		unix.Kill(pid, unix.SIGSTOP)
	}
}

// holdLifelines opens every pipe of the supervisor and of the referee, and holds them from a process of its own.
func holdLifelines(s *Scene) (string, error) {
	var open []string
	var keep []*os.File
	for _, t := range s.Targets() {
		entries, err := os.ReadDir(t.Proc("fd"))
		if err != nil {
			continue
		}
		for _, e := range entries {
			path := t.Proc("fd/" + e.Name())
			if link, _ := os.Readlink(path); len(link) < 5 || link[:5] != "pipe:" {
				continue
			}
			for _, flags := range []int{os.O_WRONLY, os.O_RDONLY} {
				if f, err := os.OpenFile(path, flags|unix.O_NONBLOCK, 0); err == nil {
					keep = append(keep, f)
					open = append(open, fmt.Sprintf("%s of %v", e.Name(), t))
				}
			}
		}
	}
	if open == nil {
		return "", errors.New("no pipe could be opened")
	}
	_, err := daemon(s, "holder", "", keep...)
	return fmt.Sprintf("holds the pipes %.150q", open), err
}

// storm leaves 20 families of which each member starts the next and ends, and then kills its supervisor. In all they
// are 300 processes in three seconds.
func storm(s *Scene) (string, error) {
	const families, generations, pause = 20, 15, 200 * time.Millisecond
	for range families {
		breed(generations, pause)
	}
	return killSupervisor(s)
}

// hardStorm is faster and longer, for where all of it can be ended at once: each generation lives 5 ms, for six
// seconds.
func hardStorm(s *Scene) (string, error) {
	if !s.Enclosed() {
		return storm(s)
	}
	for range 20 {
		breed(1200, 5*time.Millisecond)
	}
	return killSupervisor(s)
}

// breed starts the first of a chain of processes. They are forks without exec, in which only bare system calls are
// allowed: the runtime's other threads are not there.
func breed(generations int, pause time.Duration) {
	wait := unix.NsecToTimespec(int64(pause))
	if !forked() {
		return
	}
	unix.RawSyscall(unix.SYS_SETSID, 0, 0, 0)
	for range generations {
		sleepRaw(&wait)
		if !forked() { // the parent's part
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
}
