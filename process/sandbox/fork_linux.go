package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// copies counts the copies of this process that were made, see [fork], and lets one be made at a time.
var copies struct {
	sync.Mutex // each needs its stack, which is a part of the heap for all others
	made       int
}

// fork calls begin, which makes a copy of this process by [clone], with all signals blocked: no handler of this runtime must run in a
// copy that has none of its other threads; there they stay blocked. It may end with the thread, so the goroutine must be locked to it.
//
// A copy does nothing but system calls, and gets none of the heap. To copy its page tables, and each page that this process writes
// to afterwards, took a quarter of the processor time of a game of ten plies.
func fork(begin func() (pid uintptr, errno syscall.Errno)) (pid int, err error) {
	copies.Lock()
	defer copies.Unlock()
	if copies.made%64 == 0 { // it grows now and then
		leaveOutHeap()
	}
	copies.made++
	var all, before unix.Sigset_t
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, &before); err != nil {
		return 0, os.NewSyscallError("sigprocmask", err)
	}
	child, errno := begin()
	unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	if errno != 0 {
		return 0, os.NewSyscallError("clone", errno)
	}
	return int(child), nil
}

// leaveOutHeap keeps from copies what this runtime has mapped, or, in a binary with cgo, the heap only: there the kernel writes into the
// memory of each thread that the C library has given it (rseq), and ends a copy where it cannot. The variables of the binary and the
// first stack, where its arguments are, go into them. What is refused is copied.
func leaveOutHeap() {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	lines := bufio.NewScanner(maps) // it is on the heap
	heap := uintptr(unsafe.Pointer(lines))
	ofBinary, ofHeap := uintptr(0), uintptr(0) // where the part of each before ends
	for lines.Scan() {
		var begin, end, offset, inode uintptr
		var mode, device string
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s %x %s %d", &begin, &end, &mode, &offset, &device, &inode); n != 6 {
			continue
		}
		switch {
		case inode != 0:
			ofBinary = end
		case mode != "rw-p" || begin == ofBinary || strings.HasSuffix(lines.Text(), "[stack]"):
		case begin <= heap && heap < end || begin == ofHeap:
			ofHeap = end
			fallthrough
		case !mayHaveC():
			syscall.Syscall(syscall.SYS_MADVISE, begin, end-begin, unix.MADV_DONTFORK)
		}
	}
}

// mayHaveC says whether this binary may have been built with cgo.
var mayHaveC = sync.OnceValue(func() bool {
	info, _ := debug.ReadBuildInfo()
	return info == nil || !slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "0"})
})

var pageSize = uintptr(os.Getpagesize())

// clone makes a copy that has the stack on which a variable of its caller lies, and none of the rest of the heap. It and its caller
// must not be interrupted, nor grow the stack: together they need less than a page of it.
//
//go:nosplit
//go:norace
func clone(flags uintptr, variable unsafe.Pointer) (pid uintptr, errno syscall.Errno) {
	size := pageSize
	stack := uintptr(variable)&^(size-1) - size
	syscall.RawSyscall(syscall.SYS_MADVISE, stack, 3*size, unix.MADV_DOFORK)
	pid, _, errno = syscall.RawSyscall6(syscall.SYS_CLONE, flags|uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 || pid != 0 {
		syscall.RawSyscall(syscall.SYS_MADVISE, stack, 3*size, unix.MADV_DONTFORK)
	}
	return pid, errno
}

// wait waits for a copy to end or, by an option, to stop.
func wait(pid, options int) (status syscall.WaitStatus, err error) {
	for {
		if _, err := syscall.Wait4(pid, &status, options, nil); err != syscall.EINTR {
			return status, os.NewSyscallError("wait4", err)
		}
	}
}
