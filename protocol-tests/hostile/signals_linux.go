package main

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// defaultAction takes the signal away from Go's runtime, which would turn SIGSEGV and SIGABRT into exit status 2.
func defaultAction(s syscall.Signal) {
	var action [4]uint64 // a kernel sigaction of zeros: SIG_DFL, no flags, empty mask
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
}

func dieBy(s syscall.Signal) {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // the tests need no core files
	defaultAction(s)
	_ = syscall.Kill(syscall.Getpid(), s)
	stay()
}

// stopSelf signals the calling thread, which takes the signal before it returns. Sent to the process, another thread takes
// it, when it gets a processor, and the move may be said by then.
func stopSelf() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = unix.Tgkill(syscall.Getpid(), unix.Gettid(), syscall.SIGSTOP)
}
