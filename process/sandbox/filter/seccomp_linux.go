package filter

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Spec is what a filter of system calls has to know. The zero value refuses most.
type Spec struct {
	// Notify has refused calls reported, see [Serve]; what runtimes try without harm is not.
	Notify bool
	// Network leaves sockets of all kinds to the program.
	Network bool
	// EmptyNamespace says that the program's network namespace has nothing in it. Without network, sockets can
	// then be made as runtimes like to, and Unix sockets be used; what would have been a connection is reported.
	// Without a namespace, no socket can be connected or bound: there are pairs only.
	EmptyNamespace bool
	// Namespaces says that processes and System V IPC are in namespaces of the program's own. Without them, no
	// call is left that takes the id of another process or of shared memory, but signals.
	Namespaces bool
	// Equals says that the supervisor has no more rights than the program, which sees its number.
	Equals bool
	// Lasting says that files of the program stay when it ends, in a directory of its own or as it has found them. Then none can become
	// one that runs as its owner, or as its group, whoever starts it.
	Lasting bool
	// Counted says that the program's memory is added up from what the kernel tells of its processes: it gets no files without
	// a name (memfd), whose memory nobody finds while they are sent through a socket, and splices nothing: a byte in a pipe or
	// socket would keep its page, of up to 2 MiB, after the program has given that up.
	Counted bool
	// Signals go only to what descends from this process. It is for machines without namespaces whose Landlock
	// does not know signals, see [Rules]: each signal takes 30 µs or more.
	Signals bool
}

// Install puts a filter of system calls on the calling thread and on all that it starts. The thread needs
// no_new_privs, see [DropCapabilities], and its goroutine must be locked to it. With Notify or Signals, listener is
// for [Serve], which must run before a refused call is made: it would wait; otherwise it is -1. It is -1,
// too, if Notify cannot be had: from Linux before 5.0, or because this process runs under such a filter itself, of
// which there can be one. All is refused then, and nothing reported.
//
// It lists what is refused, and allows the rest; numbers that the list's author could not know are refused too.
// A call of another architecture (i386 and x32 on amd64, 32-bit on arm64) kills: its numbers mean other calls.
//
// Why not through elastic/go-seccomp-bpf? It compares all 64 bits of an argument. Where the kernel reads an int,
// such as the command of ioctl, a program would set one of the upper 32 bits and pass. Calls of other
// architectures get its default, which would be leave.
func Install(f Spec) (listener int, err error) {
	if auditArch == 0 {
		return -1, fmt.Errorf("filtering system calls: not known for %s, only for amd64 and arm64", runtime.GOARCH)
	}
	program, known := assembled.Load(f)
	if !known {
		program, _ = assembled.LoadOrStore(f, assemble(f.rules(), f.Notify))
	}
	listener, err = install(program.([]unix.SockFilter), f.Notify || f.Signals)
	if f.Notify && !f.Signals && (errors.Is(err, unix.EBUSY) || errors.Is(err, unix.EINVAL)) {
		f.Notify = false
		return Install(f)
	}
	return listener, err
}

// assembled has filters by their [Spec]: a supervisor that stays needs few of them, often.
var assembled sync.Map

func install(program []unix.SockFilter, listens bool) (listener int, err error) {
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	// Without SPEC_ALLOW, Linux before 5.16 slows down the program by what protects a process from itself.
	flags := []int{unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW}
	if listens {
		flags[0] |= unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
		// From Linux 5.19 on, a caller that catches signals, such as Go's runtime, does not have to ask anew
		// after each.
		flags = []int{flags[0] | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, flags[0]}
	}
	for _, flag := range flags {
		fd, _, errno := unix.Syscall(unix.SYS_SECCOMP,
			unix.SECCOMP_SET_MODE_FILTER, uintptr(flag), uintptr(unsafe.Pointer(&prog)))
		if errno == 0 && listens {
			return int(fd), nil // closed on exec by the kernel
		}
		if errno == 0 {
			return -1, nil
		}
		err = errno
		if errno != unix.EINVAL {
			break
		}
	}
	return -1, fmt.Errorf("installing a filter of system calls: %w", err)
}
