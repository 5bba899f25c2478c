//go:build unix && !linux

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// Guarantees says what this system's process control promises, for `luzhanqi version` and docs.
const Guarantees = "a program and its process group are killed at the end of a game; " +
	"not guaranteed on this system: descendants that left the group, and anything (private directories too) if the referee itself is killed"

// Adopt does nothing here: this system hands orphans to its first process.
func Adopt() {}

// grouped is the guard where there are process groups but no subreapers.
type grouped struct {
	cmd     *exec.Cmd
	confine Confinement
}

func startHere(c Command, path string, streams [3]*os.File) (guard, error) {
	cmd := &exec.Cmd{
		Path: path, Args: c.Args, Dir: c.Dir, Env: c.Env,
		Stdin: streams[0], Stdout: streams[1], Stderr: streams[2],
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: c.Terminal},
	}
	begin := cmd.Start
	if c.Confine.staged() {
		begin = func() error { return c.Confine.startStaged(cmd) }
	}
	if err := begin(); err != nil {
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

func exitOf(state *os.ProcessState) Exit {
	exit := Exit{Code: state.ExitCode(), User: state.UserTime(), System: state.SystemTime()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Code, exit.Signal = -1, status.Signal()
	}
	return exit
}
