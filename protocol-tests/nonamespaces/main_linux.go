package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// architectures are those that the system calls below have their numbers of.
var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS |
	unix.CLONE_NEWCGROUP

// refused fail with "operation not permitted".
var refused = []uint32{
	unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_MOUNT_SETATTR,
}

// byFlags are refused if they ask for a namespace by their first argument.
var byFlags = []uint32{unix.SYS_CLONE, unix.SYS_UNSHARE}

// goes tells a clone by Go's package os: it asks for a descriptor of the child. bubblewrap's never does, nor does that make
// namespaces of mounts by unshare. A filter sees no more of a caller than the call.
const goes = unix.CLONE_PIDFD

// filter is the program that the kernel runs before each system call. With bubblewrap, whoever makes namespaces as that
// does may.
func filter(bubblewrap bool) ([]unix.SockFilter, error) {
	architecture, known := architectures[runtime.GOARCH]
	if !known {
		return nil, fmt.Errorf("the numbers of system calls on %s are not known here; they are on amd64 and arm64", runtime.GOARCH)
	}
	const number, arch, flags = 0, 4, 16 // offsets in what the kernel shows of a call
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	give := func(what uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what} }
	unless := func(code uint16, k uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | code | unix.BPF_K, K: k, Jf: skip}
	}
	no, nowhere := give(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)), give(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS))
	all := []unix.SockFilter{
		load(arch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: architecture, Jt: 1},
		no,
		load(number),
		// Whose flags no filter sees; whoever gets this error calls clone instead.
		unless(unix.BPF_JEQ, unix.SYS_CLONE3, 1), nowhere,
	}
	if bubblewrap {
		return append(all,
			unless(unix.BPF_JEQ, unix.SYS_UNSHARE, 4), load(flags), unless(unix.BPF_JSET, unix.CLONE_NEWNS, 1), no, give(unix.SECCOMP_RET_ALLOW),
			unless(unix.BPF_JEQ, unix.SYS_CLONE, 4), load(flags), unless(unix.BPF_JSET, goes, 2), unless(unix.BPF_JSET, newNamespaces, 1), no,
			give(unix.SECCOMP_RET_ALLOW)), nil
	}
	for _, call := range refused {
		all = append(all, unless(unix.BPF_JEQ, call, 1), no)
	}
	for _, call := range byFlags {
		all = append(all, unless(unix.BPF_JEQ, call, 4), load(flags), unless(unix.BPF_JSET, newNamespaces, 1), no, give(unix.SECCOMP_RET_ALLOW))
	}
	return append(all, give(unix.SECCOMP_RET_ALLOW)), nil
}

// machines are what there is to choose from.
var machines = map[string]func() error{
	"":            func() error { return install(false) },
	"-bubblewrap": func() error { return install(true) },
	"-container":  dropAdministration,
}

func main() {
	machine, args := "", os.Args[1:]
	if len(args) > 0 && machines[args[0]] != nil {
		machine, args = args[0], args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: nonamespaces [-bubblewrap | -container] COMMAND [ARGUMENT…]")
		os.Exit(64)
	}
	if err := run(args, machines[machine]); err != nil {
		fmt.Fprintln(os.Stderr, "nonamespaces:", err)
		os.Exit(71)
	}
}

func run(args []string, makeMachine func() error) error {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // what is executed below keeps what this thread has
	if err := makeMachine(); err != nil {
		return err
	}
	return unix.Exec(path, slices.Concat([]string{path}, args[1:]), os.Environ())
}

// install puts the filter on this thread.
func install(bubblewrap bool) error {
	program, err := filter(bubblewrap)
	if err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("no_new_privs: %w", err)
		}
	}
	installed := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&installed))); e != 0 {
		return fmt.Errorf("install the filter: %w", e)
	}
	return nil
}

// dropAdministration takes from root what Docker takes by default: all but the capabilities below.
func dropAdministration() error {
	kept := []uintptr{
		unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FSETID, unix.CAP_FOWNER, unix.CAP_MKNOD, unix.CAP_NET_RAW, unix.CAP_SETGID, unix.CAP_SETUID,
		unix.CAP_SETFCAP, unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_CHROOT, unix.CAP_KILL, unix.CAP_AUDIT_WRITE,
	}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if slices.Contains(kept, c) {
			continue
		}
		// What root executes gets all capabilities that are in the bounding set, and no others.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && err != unix.EINVAL {
			return fmt.Errorf("drop capability %d: %w", c, err)
		}
	}
	return nil
}
