package sandbox

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestForkWithoutHeap: copies live with any stack, of several threads at a time, while the heap is collected and grows, in binaries
// with cgo, too.
func TestForkWithoutHeap(t *testing.T) {
	parent := uintptr(os.Getpid())
	var all sync.WaitGroup
	var grown [4][]byte
	for thread := range grown {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for i := range 25 {
				var pid int
				var err error
				deep(thread*i, func() {
					pid, err = fork(func() (uintptr, syscall.Errno) { return forkNamespace(parent) })
				})
				if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC) {
					t.Logf("this machine has no user namespaces: %v", err)
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				if status, err := wait(pid, syscall.WUNTRACED); err != nil || !status.Stopped() {
					t.Errorf("a copy made %d calls deep: status %#x, %v", thread*i, status, err)
					return
				}
				syscall.Kill(pid, syscall.SIGKILL)
				wait(pid, 0)
				grown[thread] = make([]byte, 1<<20)
				runtime.GC()
			}
		})
	}
	all.Wait()
}

// deep calls f below a stack of so many frames of 256 bytes.
func deep(frames int, f func()) (sum byte) {
	var frame [256]byte
	if frames == 0 {
		f()
		return 0
	}
	frame[frames%256] = deep(frames-1, f) + 1
	for _, b := range frame {
		sum += b
	}
	return sum
}
