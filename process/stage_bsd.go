//go:build darwin || netbsd || openbsd

package process

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// ownRole is what this binary does under another name than its own; nil: nothing.
func ownRole(name string) func(limits, path string, args []string) {
	if name == stageName {
		return stage
	}
	return nil
}

// hasStage says that a program can be limited before it starts.
const hasStage = true

// startStaged starts the command by way of a stage that limits itself.
func (c Confinement) startStaged(cmd *exec.Cmd) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	failure, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer failure.Close()
	cmd.Args = c.stageArgs(cmd.Path, cmd.Args)
	cmd.Path = self
	cmd.ExtraFiles = []*os.File{theirs}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return err
	}
	if text, _ := io.ReadAll(failure); len(text) > 0 {
		cmd.Wait()
		errno, _ := strconv.Atoi(string(text))
		return syscall.Errno(errno)
	}
	return nil
}
