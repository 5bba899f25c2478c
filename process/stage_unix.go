//go:build linux || darwin || netbsd || openbsd

package process

import (
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
)

// stageName is argument zero of a stage: this same binary, which limits itself and then becomes the
// program. It keeps its process id, its group and its terminal, and no instruction of the program
// runs without the limits.
const stageName = "luzhanqi-confined"

// stageFD is the stage's way to say that it could not become the program: an error number. It closes
// when it has.
const stageFD = 3

// stage is the whole life of a stage that becomes the program, or says why it cannot.
func stage(limits, path string, args []string) {
	errno := becomeConfined(limits, path, args)
	failure := os.NewFile(stageFD, "stage")
	failure.WriteString(strconv.Itoa(int(errno)))
	os.Exit(1)
}

// stageArgs are the arguments of a stage that becomes the program.
func (c Confinement) stageArgs(path string, args []string) []string {
	limits, _ := json.Marshal(c) // numbers only: it cannot fail
	return append([]string{stageName, string(limits), path}, args...)
}

// becomeConfined returns only if it fails.
func becomeConfined(limits, path string, args []string) syscall.Errno {
	runtime.LockOSThread()
	syscall.CloseOnExec(stageFD)
	var c Confinement
	if json.Unmarshal([]byte(limits), &c) != nil {
		return syscall.EINVAL
	}
	env := os.Environ()
	debug.SetGCPercent(-1) // from the last limit on, this runtime may have no memory for it
	for _, l := range []struct {
		resource   int
		limited    bool
		soft, hard int64
	}{
		{syscall.RLIMIT_CORE, true, 0, 0},
		{syscall.RLIMIT_NOFILE, c.Files != 0, int64(c.Files), int64(c.Files)},
		{syscall.RLIMIT_FSIZE, c.FileSize != 0, c.FileSize, c.FileSize},
		{syscall.RLIMIT_CPU, c.CPU != 0, c.seconds(), c.seconds() + 1}, // SIGXCPU, then SIGKILL
		{syscall.RLIMIT_DATA, c.Memory != 0, c.Memory, c.Memory},
	} {
		if !l.limited {
			continue
		}
		if err := setLimit(l.resource, uint64(l.soft), uint64(l.hard)); err != nil {
			return errnoOf(err)
		}
	}
	return errnoOf(syscall.Exec(path, args, env))
}

// setLimit sets a limit, or leaves it where it is stricter already.
func setLimit(resource int, soft, hard uint64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(resource, &now); err != nil {
		return err
	}
	hard = min(hard, now.Max)
	return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: min(soft, hard), Max: hard})
}

func errnoOf(err error) syscall.Errno {
	errno, _ := err.(syscall.Errno)
	return errno
}
