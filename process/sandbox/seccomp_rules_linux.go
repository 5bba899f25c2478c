//go:build amd64 || arm64

package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// newNamespaces are the flags of clone that make namespaces. unshare knows one more, for time, where clone has
// the signal that a child's end sends.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// refusedAlways are calls that reach out of any sandbox, or that a program which plays has no use for while each
// has been a way to attack the kernel.
var refusedAlways = []rule{
	// File systems. Where the program has no right to them it would get the same answer.
	{number: unix.SYS_MOUNT, name: "mount", errno: unix.EPERM},
	{number: unix.SYS_UMOUNT2, name: "umount2", errno: unix.EPERM},
	{number: unix.SYS_PIVOT_ROOT, name: "pivot_root", errno: unix.EPERM},
	{number: unix.SYS_CHROOT, name: "chroot", errno: unix.EPERM},
	{number: unix.SYS_FSOPEN, name: "fsopen", errno: unix.EPERM},
	{number: unix.SYS_FSCONFIG, name: "fsconfig", errno: unix.EPERM},
	{number: unix.SYS_FSMOUNT, name: "fsmount", errno: unix.EPERM},
	{number: unix.SYS_FSPICK, name: "fspick", errno: unix.EPERM},
	{number: unix.SYS_MOVE_MOUNT, name: "move_mount", errno: unix.EPERM},
	{number: unix.SYS_OPEN_TREE, name: "open_tree", errno: unix.EPERM},
	{number: unix.SYS_OPEN_TREE_ATTR, name: "open_tree_attr", errno: unix.EPERM},
	{number: unix.SYS_MOUNT_SETATTR, name: "mount_setattr", errno: unix.EPERM},
	{number: unix.SYS_OPEN_BY_HANDLE_AT, name: "open_by_handle_at", errno: unix.EPERM},
	{number: unix.SYS_SWAPON, name: "swapon", errno: unix.EPERM},
	{number: unix.SYS_SWAPOFF, name: "swapoff", errno: unix.EPERM},
	{number: unix.SYS_QUOTACTL, name: "quotactl", errno: unix.EPERM},
	{number: unix.SYS_QUOTACTL_FD, name: "quotactl_fd", errno: unix.EPERM},
	{number: unix.SYS_ACCT, name: "acct", errno: unix.EPERM},
	{number: unix.SYS_FANOTIFY_INIT, name: "fanotify_init", errno: unix.EPERM},

	// Namespaces. A filter cannot look into the structure that clone3 gets; without it, libraries use clone.
	{number: unix.SYS_UNSHARE, name: "unshare", errno: unix.EPERM, when: []test{has(0, newNamespaces|unix.CLONE_NEWTIME)}},
	{number: unix.SYS_CLONE, name: "clone", errno: unix.EPERM, when: []test{has(0, newNamespaces)}},
	{number: unix.SYS_CLONE3, name: "clone3", errno: unix.ENOSYS, quiet: true},
	{number: unix.SYS_SETNS, name: "setns", errno: unix.EPERM},

	// Other processes.
	{number: unix.SYS_PTRACE, name: "ptrace", errno: unix.EPERM},
	{number: unix.SYS_PROCESS_VM_READV, name: "process_vm_readv", errno: unix.EPERM},
	{number: unix.SYS_PROCESS_VM_WRITEV, name: "process_vm_writev", errno: unix.EPERM},
	{number: unix.SYS_PROCESS_MADVISE, name: "process_madvise", errno: unix.EPERM},
	{number: unix.SYS_PIDFD_GETFD, name: "pidfd_getfd", errno: unix.EPERM},
	{number: unix.SYS_KCMP, name: "kcmp", errno: unix.EPERM},

	// The processor: what one program takes, its opponent waits for. Runtimes take EPERM for an answer.
	{number: unix.SYS_SCHED_SETAFFINITY, name: "sched_setaffinity", errno: unix.EPERM},
	{number: unix.SYS_SCHED_SETATTR, name: "sched_setattr", errno: unix.EPERM}, // the policy is in a structure
	{number: unix.SYS_SCHED_SETSCHEDULER, name: "sched_setscheduler", errno: unix.EPERM, when: []test{
		isNot(1, unix.SCHED_NORMAL, unix.SCHED_BATCH, unix.SCHED_IDLE).masked(^uint32(unix.SCHED_RESET_ON_FORK)),
	}},
	{number: unix.SYS_SETPRIORITY, name: "setpriority", errno: unix.EACCES, when: []test{has(2, 1<<31)}}, // below 0

	// Keys, which do not belong to a namespace of their own.
	{number: unix.SYS_ADD_KEY, name: "add_key", errno: unix.EPERM},
	{number: unix.SYS_REQUEST_KEY, name: "request_key", errno: unix.EPERM},
	{number: unix.SYS_KEYCTL, name: "keyctl", errno: unix.EPERM},

	// The kernel and the machine.
	{number: unix.SYS_BPF, name: "bpf", errno: unix.EPERM},
	{number: unix.SYS_PERF_EVENT_OPEN, name: "perf_event_open", errno: unix.EPERM},
	{number: unix.SYS_USERFAULTFD, name: "userfaultfd", errno: unix.EPERM},
	{number: unix.SYS_MEMFD_SECRET, name: "memfd_secret", errno: unix.EPERM},
	{number: unix.SYS_REMAP_FILE_PAGES, name: "remap_file_pages", errno: unix.EPERM},
	// io_uring makes calls that no filter sees. node asks whether it is there.
	{number: unix.SYS_IO_URING_SETUP, name: "io_uring_setup", errno: unix.ENOSYS, quiet: true},
	{number: unix.SYS_IO_URING_ENTER, name: "io_uring_enter", errno: unix.ENOSYS, quiet: true},
	{number: unix.SYS_IO_URING_REGISTER, name: "io_uring_register", errno: unix.ENOSYS, quiet: true},
	{number: unix.SYS_KEXEC_LOAD, name: "kexec_load", errno: unix.EPERM},
	{number: unix.SYS_KEXEC_FILE_LOAD, name: "kexec_file_load", errno: unix.EPERM},
	{number: unix.SYS_INIT_MODULE, name: "init_module", errno: unix.EPERM},
	{number: unix.SYS_FINIT_MODULE, name: "finit_module", errno: unix.EPERM},
	{number: unix.SYS_DELETE_MODULE, name: "delete_module", errno: unix.EPERM},
	{number: unix.SYS_REBOOT, name: "reboot", errno: unix.EPERM},
	{number: unix.SYS_SETTIMEOFDAY, name: "settimeofday", errno: unix.EPERM},
	{number: unix.SYS_CLOCK_SETTIME, name: "clock_settime", errno: unix.EPERM},
	{number: unix.SYS_CLOCK_ADJTIME, name: "clock_adjtime", errno: unix.EPERM},
	{number: unix.SYS_ADJTIMEX, name: "adjtimex", errno: unix.EPERM},
	{number: unix.SYS_SETHOSTNAME, name: "sethostname", errno: unix.EPERM},
	{number: unix.SYS_SETDOMAINNAME, name: "setdomainname", errno: unix.EPERM},
	{number: unix.SYS_SYSLOG, name: "syslog", errno: unix.EPERM},
	{number: unix.SYS_LOOKUP_DCOOKIE, name: "lookup_dcookie", errno: unix.EPERM},
	{number: unix.SYS_VHANGUP, name: "vhangup", errno: unix.EPERM},

	// The process itself. A filter of the program's own could hide from ours what it tries.
	{number: unix.SYS_SECCOMP, name: "seccomp", errno: unix.EPERM, when: []test{is(0, unix.SECCOMP_SET_MODE_STRICT, unix.SECCOMP_SET_MODE_FILTER)}},
	// PR_SCHED_CORE keeps others from the second thread of a processor.
	{number: unix.SYS_PRCTL, name: "prctl", errno: unix.EPERM, when: []test{is(0, unix.PR_SET_SECCOMP, unix.PR_SET_MM, unix.PR_SCHED_CORE)}},
	{number: unix.SYS_PERSONALITY, name: "personality", errno: unix.EPERM, when: []test{isNot(0, 0, addrNoRandomize, 0xffffffff)}},
	// Into a terminal: text as if typed, what is marked on a console, another line discipline.
	{number: unix.SYS_IOCTL, name: "ioctl", errno: unix.EPERM, when: []test{is(1, unix.TIOCSTI, unix.TIOCLINUX, unix.TIOCSETD)}},
}

// addrNoRandomize is the personality that debuggers and some runtimes ask for: memory is where it always is.
const addrNoRandomize = 0x40000

// refusedWithoutNamespaces are calls that reach any process of the same user, by its id, or what System V IPC and
// message queues share between all of them.
var refusedWithoutNamespaces = []rule{
	{number: unix.SYS_PRLIMIT64, name: "prlimit64", errno: unix.EPERM, when: []test{isNot(0, 0)}},
	{number: unix.SYS_SCHED_SETSCHEDULER, when: []test{isNot(0, 0)}},
	{number: unix.SYS_SCHED_SETPARAM, name: "sched_setparam", errno: unix.EPERM, when: []test{isNot(0, 0)}},
	{number: unix.SYS_SETPRIORITY, when: []test{isNot(1, 0), is(0, unix.PRIO_USER)}},
	{number: unix.SYS_IOPRIO_SET, name: "ioprio_set", errno: unix.EPERM, when: []test{isNot(1, 0), is(0, ioprioWhoUser)}},
	// The owner of a descriptor gets its signals, and they can be any.
	{number: unix.SYS_FCNTL, name: "fcntl", errno: unix.EPERM, when: []test{is(1, unix.F_SETOWN, unix.F_SETOWN_EX)}},
	{number: unix.SYS_IOCTL, when: []test{is(1, 0x8901, 0x8902)}},

	{number: unix.SYS_SHMGET, name: "shmget", errno: unix.EPERM},
	{number: unix.SYS_SHMAT, name: "shmat", errno: unix.EPERM},
	{number: unix.SYS_SHMCTL, name: "shmctl", errno: unix.EPERM},
	{number: unix.SYS_SEMGET, name: "semget", errno: unix.EPERM},
	{number: unix.SYS_SEMOP, name: "semop", errno: unix.EPERM},
	{number: unix.SYS_SEMTIMEDOP, name: "semtimedop", errno: unix.EPERM},
	{number: unix.SYS_SEMCTL, name: "semctl", errno: unix.EPERM},
	{number: unix.SYS_MSGGET, name: "msgget", errno: unix.EPERM},
	{number: unix.SYS_MSGSND, name: "msgsnd", errno: unix.EPERM},
	{number: unix.SYS_MSGRCV, name: "msgrcv", errno: unix.EPERM},
	{number: unix.SYS_MSGCTL, name: "msgctl", errno: unix.EPERM},
	{number: unix.SYS_MQ_OPEN, name: "mq_open", errno: unix.EPERM},
	{number: unix.SYS_MQ_UNLINK, name: "mq_unlink", errno: unix.EPERM},
}

const ioprioWhoUser = 3

// refusedWithEmptyNetwork leaves the families that runtimes and libraries try without harm. The others are not
// all in a network namespace: vsock reaches the host of a virtual machine.
var refusedWithEmptyNetwork = []rule{
	{number: unix.SYS_SOCKET, name: "socket", errno: unix.EACCES, when: []test{isNot(0, unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)}},
}

// refusedWithoutNetwork leaves pairs of connected sockets. Of Unix sockets only streams and sequential packets
// exist: a datagram finds its receiver by sendmsg, whose address no filter sees.
var refusedWithoutNetwork = []rule{
	{number: unix.SYS_SOCKET, name: "socket", errno: unix.EACCES, when: []test{isNot(0, unix.AF_UNIX), connected}},
	{number: unix.SYS_SOCKETPAIR, name: "socketpair", errno: unix.EACCES, when: []test{isNot(0, unix.AF_UNIX), connected}},
	{number: unix.SYS_CONNECT, name: "connect", errno: unix.EACCES},
	{number: unix.SYS_BIND, name: "bind", errno: unix.EACCES},
	{number: unix.SYS_SENDTO, name: "sendto", errno: unix.EACCES, when: notNull(4)},
}

// connected refuses other types of sockets than those that speak to one other end; the type shares its
// argument with flags.
var connected = isNot(1, unix.SOCK_STREAM, unix.SOCK_SEQPACKET).masked(0xf)

// rules are what a filter refuses, one for each number.
func (f filterSpec) rules() []rule {
	all := slices.Concat(refusedAlways, refusedOnThisArch)
	if !f.namespaces {
		all = append(all, refusedWithoutNamespaces...)
	}
	if !f.network && f.emptyNamespace {
		all = append(all, refusedWithEmptyNetwork...)
	} else if !f.network {
		all = append(all, refusedWithoutNetwork...)
	}
	at := map[uintptr]int{}
	var merged []rule
	for _, r := range all {
		if i, again := at[r.number]; again {
			merged[i].when = slices.Concat(merged[i].when, r.when)
			continue
		}
		at[r.number] = len(merged)
		merged = append(merged, r)
	}
	return merged
}
