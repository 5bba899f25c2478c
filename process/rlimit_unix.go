//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"luzhanqi/text"
)

// needsLimiter says whether there is a limit that only the process itself can set before it becomes the
// program.
func (c Confinement) needsLimiter() bool {
	return c.Memory != 0 || c.CPU != 0 || c.FileSize != 0 || c.Files != 0
}

// limiterName is argument zero of a limiter: this same binary, which limits itself and then becomes the
// program. It keeps its process id, its group and its terminal, and no instruction of the program
// runs without the limits.
const limiterName = "luzhanqi-confined"

// limiterFD is the limiter's way to say that it could not become the program: an error number. It closes
// when it has.
const limiterFD = 3

// limiterArgs are the arguments of a limiter that becomes the program.
func (c Confinement) limiterArgs(path string, args []string) []string {
	limits, _ := json.Marshal(c) // numbers only: it cannot fail
	return append([]string{limiterName, string(limits), path}, args...)
}

// limiter is the whole life of a limiter.
func limiter(args []string) {
	errno := syscall.EINVAL
	if len(args) > 2 {
		errno = becomeLimited(args[0], args[1], args[2:])
	}
	failure := os.NewFile(limiterFD, "limiter")
	failure.WriteString(strconv.Itoa(int(errno)))
	os.Exit(1)
}

// limiterFailure waits until a limiter has become the program, or says why it could not.
func limiterFailure(from io.Reader) error {
	text, _ := io.ReadAll(from)
	if len(text) == 0 {
		return nil
	}
	errno, _ := strconv.Atoi(string(text))
	return syscall.Errno(errno)
}

// becomeLimited returns only if it fails.
func becomeLimited(limits, path string, args []string) syscall.Errno {
	runtime.LockOSThread()
	syscall.CloseOnExec(limiterFD)
	var c Confinement
	if json.Unmarshal([]byte(limits), &c) != nil {
		return syscall.EINVAL
	}
	env := os.Environ()
	if c.Memory != 0 {
		// From the last limit on, the system may give this runtime no more memory, and it would die of wanting
		// some: for its heap, or for the stack of a further thread.
		runtime.KeepAlive(make([]byte, 1<<20))
		runtime.GC()
		runtime.GOMAXPROCS(1)
	}
	debug.SetGCPercent(-1)
	var memory *syscall.Rlimit
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
		var r syscall.Rlimit
		if err := syscall.Getrlimit(l.resource, &r); err != nil {
			return errnoOf(err)
		}
		lower(&r.Max, l.hard)
		r.Cur = r.Max
		lower(&r.Cur, l.soft)
		if l.resource == syscall.RLIMIT_DATA {
			memory = &r
			continue
		}
		if err := syscall.Setrlimit(l.resource, &r); err != nil {
			return errnoOf(err)
		}
	}
	return become(memory, path, args, env)
}

// lower makes a limit of a resource stricter, or leaves it where it is stricter already. Systems differ in
// the type of limits.
func lower[T int64 | uint64](limit *T, to int64) { *limit = T(min(uint64(*limit), uint64(to))) }

// confined adds to an exit what it says about the limits of the program. watched is the limit that
// it was killed for, if it was.
func (e Exit) confined(c Confinement, watched Limit) Exit {
	spent := c.CPU != 0 && e.User+e.System >= time.Duration(c.seconds())*time.Second
	switch {
	case watched != NoLimit:
		e.Exceeded = watched
	case c.CPU != 0 && e.Signal == syscall.SIGXCPU, spent && e.Signal == syscall.SIGKILL: // when it has caught the first signal
		e.Exceeded = LimitCPU
	case c.FileSize != 0 && e.Signal == syscall.SIGXFSZ:
		e.Exceeded = LimitFileSize
	}
	e.Of = c.exceeded(e.Exceeded)
	if e.Exceeded != NoLimit || e.Code == 0 && e.Signal == 0 {
		return e
	}
	var suspected []string
	if spent { // some languages make the signal an exit code
		suspected = append(suspected, c.time()+" of processor time")
	}
	if c.Memory != 0 {
		suspected = append(suspected, text.Bytes(c.Memory)+" of memory")
	}
	e.Suspected = strings.Join(suspected, " or ")
	return e
}

// exceeded says what was more than allowed, in words.
func (c Confinement) exceeded(l Limit) string {
	switch l {
	case LimitProcesses:
		return fmt.Sprintf("more than %s at once", text.Count(c.Processes, "process"))
	case LimitThreads:
		return fmt.Sprintf("more than %s at once", text.Count(c.Threads, "thread"))
	case LimitTotal:
		return fmt.Sprintf("more than %s of memory in all", text.Bytes(c.Total))
	case LimitCPU:
		return fmt.Sprintf("more than %s of processor time", c.time())
	case LimitFileSize:
		return fmt.Sprintf("a file of more than %s", text.Bytes(c.FileSize))
	}
	return ""
}

// seconds is the limit of processor time as the system knows it.
func (c Confinement) seconds() int64 { return int64((c.CPU + time.Second - 1) / time.Second) }

func (c Confinement) time() string { return (time.Duration(c.seconds()) * time.Second).String() }
