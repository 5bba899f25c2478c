package sandbox

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// First is process 1 of a namespace: all that loses its parent there falls to it, and all of it dies with it. It starts
// nothing, and is a copy of the process that has made it, without a file of that: to start this binary anew takes 20 times
// as long. It also ends when that process does.
type First struct {
	PID    int
	orders *os.File // its standard input, a socket
}

// The orders for process 1: which signal all others get.
const (
	stopAll     = byte(unix.SIGSTOP)
	continueAll = byte(unix.SIGCONT)
)

// startFirst makes process 1 of the namespace in which the next child of the calling thread is, which mounts a list of the
// processes there at a path: an ordinary user may do that from inside only.
func startFirst(proc string, flags uintptr) (*First, error) {
	var at shortPath
	if copy(at[:len(at)-1], proc) != len(proc) {
		return nil, fmt.Errorf("mount a list of processes at %s: %d bytes of path: allowed are %d", proc, len(proc), len(at)-1)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	orders := os.NewFile(uintptr(pair[0]), "process 1")
	pid, err := fork(func() (uintptr, syscall.Errno) { return forkFirst(uintptr(pair[1]), at, flags) })
	unix.Close(pair[1])
	if err != nil {
		orders.Close()
		return nil, err
	}
	f := &First{PID: pid, orders: orders}
	var mounted [1]byte
	if _, err = io.ReadFull(orders, mounted[:]); err == nil && mounted[0] != 0 {
		err = unavailable("mount a list of the program's own processes at /proc", syscall.Errno(mounted[0]))
	}
	if err != nil {
		f.Kill()
		f.Await()
		return nil, err
	}
	return f, nil
}

// shortPath is a path that ends with a zero, on the stack of [forkFirst].
type shortPath [32]byte

// forkFirst is also the whole life of process 1. A copy of a process with threads may do nothing but system calls, and has nothing of
// the heap but its stack, so all of it stands in this function, which must not be interrupted, nor grow its stack.
//
//go:nosplit
//go:norace
//go:noinline
func forkFirst(orders uintptr, proc shortPath, flags uintptr) (pid uintptr, errno syscall.Errno) {
	procName := [...]byte{'p', 'r', 'o', 'c', 0}
	if pid, errno = clone(0, unsafe.Pointer(&procName)); errno != 0 || pid != 0 {
		return pid, errno
	}
	syscall.RawSyscall(syscall.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	syscall.RawSyscall(syscall.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0, 0)
	syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
	name := uintptr(unsafe.Pointer(&procName))
	_, _, errno = syscall.RawSyscall6(syscall.SYS_MOUNT, name, uintptr(unsafe.Pointer(&proc)), name, flags, 0, 0)
	mounted := byte(errno)
	syscall.RawSyscall(syscall.SYS_WRITE, orders, uintptr(unsafe.Pointer(&mounted)), 1)
	if orders != 0 {
		syscall.RawSyscall(syscall.SYS_DUP3, orders, 0, 0)
	}
	if _, _, errno = syscall.RawSyscall(unix.SYS_CLOSE_RANGE, 1, 1<<31-1, 0); errno != 0 {
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 1, 0, 0)
	}
	// It waits for children itself: of those that the kernel reaps by itself, nobody would know what they have used.
	var news [128]byte // struct signalfd_siginfo
	child := uint64(1) << (syscall.SIGCHLD - 1)
	_, _, errno = syscall.RawSyscall6(syscall.SYS_SIGNALFD4, ^uintptr(0), uintptr(unsafe.Pointer(&child)), 8, 0, 0, 0)
	if errno != 0 { // its number is 1
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 1, 0, 0)
	}
	for {
		ready := [2]unix.PollFd{{Fd: 0, Events: unix.POLLIN}, {Fd: 1, Events: unix.POLLIN}}
		_, _, errno = syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&ready)), 2, 0, 0, 0, 0)
		if errno != 0 {
			continue
		}
		if ready[1].Revents != 0 {
			syscall.RawSyscall(syscall.SYS_READ, 1, uintptr(unsafe.Pointer(&news)), 128)
			for dead := uintptr(1); dead != 0 && errno == 0; {
				dead, _, errno = syscall.RawSyscall6(syscall.SYS_WAIT4, ^uintptr(0), 0, syscall.WNOHANG, 0, 0, 0)
			}
		}
		if ready[0].Revents == 0 {
			continue
		}
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, 0, uintptr(unsafe.Pointer(&news)), 1)
		if errno != 0 || n != 1 { // whoever has made it is gone
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		syscall.RawSyscall(syscall.SYS_KILL, ^uintptr(0), uintptr(news[0]), 0) // all but itself
	}
}

// Pause stops everything in the namespace, or lets it go on.
func (f *First) Pause(yes bool) {
	order := continueAll
	if yes {
		order = stopAll
	}
	f.orders.Write([]byte{order})
}

// Kill ends it, and with it the kernel ends all.
func (f *First) Kill() { syscall.Kill(f.PID, syscall.SIGKILL) }

// Await returns when it has ended, which it does after everything else in its namespace. It is to be called once.
func (f *First) Await() error {
	defer f.orders.Close()
	_, err := wait(f.PID, 0)
	return err
}

// Begin gives the calling thread fresh namespaces, builds the view in them and starts their process 1. The goroutine must be
// locked to its thread and end with it. What is forked from the thread from now on is in the view.
func (v *View) Begin() (inside *Inside, first *First, err error) {
	defer func() {
		if err != nil && v.first != nil {
			v.first.Kill()
			v.first.Await()
		}
	}()
	flags := unix.CLONE_NEWNS | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	if v.Profile == Sealed {
		flags |= unix.CLONE_NEWNET
	}
	if err := unix.Unshare(flags); err != nil {
		return nil, nil, unavailable("make namespaces", err)
	}
	v.threaded = true
	if v.self, err = openSelf(); err != nil { // the thread will see a /proc in which it is not
		return nil, nil, err
	}
	if inside, err = v.Enter(); err != nil {
		return nil, nil, err
	}
	return inside, v.first, nil
}

// ownProcesses starts process 1 of a fresh namespace, and has the list of the processes there mounted. The thread itself is not in it, so this must be the last that it does before that needs a /proc of its own.
func (b *builder) ownProcesses(at string) error {
	if err := unix.Unshare(unix.CLONE_NEWPID); err != nil {
		return unavailable("make a namespace of processes", err)
	}
	var err error
	b.first, err = startFirst(at, unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY)
	return err
}

// StayAttributes makes the start of a supervisor the start of one that stays, and that makes namespaces for each program: it
// has a user namespace for all of them, where it would have no right to others.
func (w Way) StayAttributes(attr *syscall.SysProcAttr) {
	v := &View{By: w}
	v.Attributes(attr)
	attr.Cloneflags &= syscall.CLONE_NEWUSER
}

// Close closes what is kept of a view.
func (i *Inside) Close() {
	for _, f := range append([]*os.File{i.Layer, i.Whole, i.Original, i.Keep}, i.Places...) {
		if f != nil {
			f.Close()
		}
	}
}
