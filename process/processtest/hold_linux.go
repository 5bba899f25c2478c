package processtest

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// HoldByTrace holds all threads of a process for so long as a debugger does, without any signal of job control. It skips the test
// where this user may not trace.
func HoldByTrace(t *testing.T, pid int, d time.Duration) {
	t.Helper()
	runtime.LockOSThread() // to which the right to trace is bound
	defer runtime.UnlockOSThread()
	tasks, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	for _, task := range tasks {
		id, _ := strconv.Atoi(task.Name())
		err := unix.PtraceSeize(id)
		if errors.Is(err, unix.EPERM) {
			t.Skip("this user may not trace")
		}
		if err == nil {
			unix.PtraceInterrupt(id)
			unix.Wait4(id, nil, unix.WALL, nil)
			defer unix.PtraceDetach(id)
		}
	}
	time.Sleep(d)
}
