//go:build unix && !linux

package process

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Guarantees says what this system's process control promises, for `luzhanqi version` and docs.
const Guarantees = "a program and its process group are killed at the end of a game; " +
	"not guaranteed on this system: descendants that left the group, and anything (private directories too) if the referee itself is killed"

// ownRole is what this binary does under another name than its own; nil: nothing.
func ownRole(name string) func(args []string) {
	if name == limiterName {
		return limiter
	}
	return nil
}

// become limits the memory of this process, if there is a limit, and becomes the program. It returns only if it fails.
func become(memory *syscall.Rlimit, path string, args, env []string) syscall.Errno {
	if memory != nil {
		if err := syscall.Setrlimit(syscall.RLIMIT_DATA, memory); err != nil {
			return errnoOf(err)
		}
	}
	return errnoOf(syscall.Exec(path, args, env))
}

// The requests of ioctl for the settings of a terminal.
const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// Pipes are pollable here, so the files themselves have deadlines.
func readEnd(f *os.File) stream  { return f }
func writeEnd(f *os.File) stream { return f }

// AdoptOrphans does nothing here: this system hands orphans to its first process.
func AdoptOrphans() {}

// grouped is the guard where there are process groups but no subreapers.
type grouped struct {
	cmd     *exec.Cmd
	confine Confinement
}

func startHere(c Command, path string, streams [3]*os.File) (guard, error) {
	cmd := &exec.Cmd{
		Path: path, Args: c.Args, Dir: c.Dir, Env: c.environment(),
		Stdin: streams[0], Stdout: streams[1], Stderr: streams[2],
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: c.Terminal},
	}
	start := cmd.Start
	if c.Confine.needsLimiter() {
		start = func() error { return c.Confine.startLimited(cmd) }
	}
	if err := start(); err != nil {
		return nil, err
	}
	return grouped{cmd, c.Confine}, nil
}

func (g grouped) wait() Exit {
	g.cmd.Wait()
	return exitOf(g.cmd.ProcessState).confined(g.confine, NoLimit)
}

func (g grouped) kill()          { syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }
func (g grouped) release() error { return nil }

func (g grouped) family() Family { return Family{} }

func (g grouped) pause(yes bool) {
	signal := syscall.SIGCONT
	if yes {
		signal = syscall.SIGSTOP
	}
	syscall.Kill(-g.cmd.Process.Pid, signal)
}

func exitOf(state *os.ProcessState) Exit {
	exit := Exit{Code: state.ExitCode(), User: state.UserTime(), System: state.SystemTime()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Code, exit.Signal = -1, status.Signal()
	}
	return exit
}

// startLimited starts the command by way of a limiter.
func (c Confinement) startLimited(cmd *exec.Cmd) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	failure, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer failure.Close()
	cmd.Args = c.limiterArgs(cmd.Path, cmd.Args)
	cmd.Path = self
	cmd.ExtraFiles = []*os.File{theirs}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return err
	}
	if err := limiterFailure(failure); err != nil {
		cmd.Wait()
		return err
	}
	return nil
}
