package interruption

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// stopSelf stops this process until it is continued. The signal is for the calling thread, which takes it before it
// returns: sent to the process, another thread takes it, on a busy machine after the pause has been called off.
func stopSelf() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unix.Tgkill(os.Getpid(), unix.Gettid(), syscall.SIGSTOP)
}
