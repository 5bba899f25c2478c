//go:build windows

package process

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Guarantees says what this system's process control promises, for `luzhanqi version` and docs.
const Guarantees = "a program and its descendants are killed at the end of a game and when the referee ends (job object); " +
	"not guaranteed on this system: descendants started in the instant before the program joined its job, and the removal of private directories if the referee is killed"

// What Windows does not have.
const (
	hasTerminals = false
	hasRlimits   = false
)

// newTerminal is never called: terminalTrouble comes first.
func newTerminal() (sink, source, *os.File, error) { return nil, nil, nil, ErrNoTerminal }

// ownRole is nil: this binary is never started under another name.
func ownRole(string) func(args []string) { return nil }

// splitWords follows the rules of Windows, where a backslash separates folders.
func splitWords(line string) ([]string, error) { return windows.DecomposeCommandLine(line) }

// AdoptOrphans does nothing here: a job object holds all descendants.
func AdoptOrphans() {}

// job is the guard on Windows: closing the last handle of a job object kills all that is in it,
// also when the referee's own end closes it.
type job struct {
	cmd    *exec.Cmd
	handle windows.Handle
	once   sync.Once
}

func startHere(c Command, path string, streams [3]*os.File) (guard, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("create a job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		windows.CloseHandle(handle)
		return nil, fmt.Errorf("limit a job object: %w", err)
	}
	cmd := &exec.Cmd{
		Path: path, Args: c.Args, Dir: c.Dir, Env: c.environment(),
		Stdin: streams[0], Stdout: streams[1], Stderr: streams[2],
		SysProcAttr: &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP},
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(handle)
		return nil, err
	}
	j := &job{cmd: cmd, handle: handle}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(handle, process)
		windows.CloseHandle(process)
	}
	if err != nil {
		cmd.Process.Kill()
		j.kill()
		cmd.Wait()
		return nil, fmt.Errorf("put %q into a job object: %w", c.Args[0], err)
	}
	return j, nil
}

func (j *job) wait() Exit {
	j.cmd.Wait()
	state := j.cmd.ProcessState
	return Exit{Code: state.ExitCode(), User: state.UserTime(), System: state.SystemTime()}
}

func (j *job) kill()          { j.once.Do(func() { windows.CloseHandle(j.handle) }) }
func (j *job) release() error { return nil }

func (j *job) family() Family { return Family{} }
func (j *job) pause(bool)     {} // what suspends a process here is not documented

// Anonymous pipes have no deadlines on Windows, so they are copied through one that has. That
// costs a goroutine, a copy and one buffer of read-ahead for each stream.
func readEnd(f *os.File) stream {
	near, far := net.Pipe()
	go func() {
		io.Copy(far, f)
		far.Close()
		f.Close()
	}()
	return near
}

func writeEnd(f *os.File) stream {
	near, far := net.Pipe()
	go func() {
		io.Copy(f, far)
		f.Close()
		far.Close()
	}()
	return near
}
