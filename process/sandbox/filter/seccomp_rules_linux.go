//go:build amd64 || arm64

package filter

import (
	"slices"

	"golang.org/x/sys/unix"
)

// newNamespaces are the flags of clone that make namespaces. unshare knows one more, for time, where clone has
// the signal that a child's end sends.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// refusedAlways are calls that reach out of any sandbox, or that a program which plays has no use for while each
// has been a way to attack the kernel.
var refusedAlways = []rule{
	// File systems. Where the program has no right to them it would get the same answer.
	{number: unix.SYS_MOUNT, name: "mount", look: texts(0, 1, 2)},
	{number: unix.SYS_UMOUNT2, name: "umount2", look: texts(0)},
	{number: unix.SYS_PIVOT_ROOT, name: "pivot_root", look: texts(0, 1)},
	{number: unix.SYS_CHROOT, name: "chroot", look: texts(0)},
	{number: unix.SYS_FSOPEN, name: "fsopen", look: texts(0)},
	{number: unix.SYS_FSCONFIG, name: "fsconfig"},
	{number: unix.SYS_FSMOUNT, name: "fsmount"},
	{number: unix.SYS_FSPICK, name: "fspick", look: texts(1)},
	{number: unix.SYS_MOVE_MOUNT, name: "move_mount", look: texts(1, 3)},
	{number: unix.SYS_OPEN_TREE, name: "open_tree", look: texts(1)},
	{number: unix.SYS_OPEN_TREE_ATTR, name: "open_tree_attr", look: texts(1)},
	{number: unix.SYS_MOUNT_SETATTR, name: "mount_setattr", look: texts(1)},
	{number: unix.SYS_OPEN_BY_HANDLE_AT, name: "open_by_handle_at"},
	{number: unix.SYS_SWAPON, name: "swapon", look: texts(0)},
	{number: unix.SYS_SWAPOFF, name: "swapoff", look: texts(0)},
	{number: unix.SYS_QUOTACTL, name: "quotactl", look: texts(1)},
	{number: unix.SYS_QUOTACTL_FD, name: "quotactl_fd"},
	{number: unix.SYS_ACCT, name: "acct", look: texts(0)},
	{number: unix.SYS_FANOTIFY_INIT, name: "fanotify_init"},

	// Namespaces. A filter cannot look into the structure that clone3 gets; without it, libraries use clone.
	{number: unix.SYS_UNSHARE, name: "unshare", look: flags(0, namespaces), when: []test{
		has(0, newNamespaces|unix.CLONE_NEWTIME),
	}},
	{number: unix.SYS_CLONE, name: "clone", look: flags(0, namespaces), when: []test{has(0, newNamespaces)}},
	{number: unix.SYS_CLONE3, name: "clone3", errno: unix.ENOSYS, mute: true},
	{number: unix.SYS_SETNS, name: "setns", look: flags(1, namespaces)},

	// Other processes.
	{number: unix.SYS_PTRACE, name: "ptrace", look: lookAtPtrace},
	{number: unix.SYS_PROCESS_VM_READV, name: "process_vm_readv", look: format("process %d", 0)},
	{number: unix.SYS_PROCESS_VM_WRITEV, name: "process_vm_writev", look: format("process %d", 0)},
	{number: unix.SYS_PROCESS_MADVISE, name: "process_madvise"},
	{number: unix.SYS_PIDFD_GETFD, name: "pidfd_getfd", look: format("descriptor %d", 1)},
	{number: unix.SYS_KCMP, name: "kcmp", look: format("processes %d and %d", 0, 1)},
	// An ordinary user's supervisor has the same user, and is in sight.
	{number: unix.SYS_PRLIMIT64, name: "prlimit64", look: concerning(0, nil), when: []test{isNot(0, 0)}},

	// The processor: what one program takes, its opponent waits for. OpenMP gives up where threads cannot be
	// bound to a processor, and whoever does that does no wrong; so they are told that they are.
	{number: unix.SYS_SCHED_SETAFFINITY, name: "sched_setaffinity", mute: true, noop: true},
	{number: unix.SYS_SCHED_SETATTR, name: "sched_setattr", look: format("process %d", 0)}, // the policy is in a structure
	{number: unix.SYS_SCHED_SETSCHEDULER, name: "sched_setscheduler", look: concerning(0, schedulerWords), when: []test{
		isNot(1, unix.SCHED_NORMAL, unix.SCHED_BATCH, unix.SCHED_IDLE).masked(^uint32(unix.SCHED_RESET_ON_FORK)),
	}},
	{number: unix.SYS_SETPRIORITY, name: "setpriority", errno: unix.EACCES, look: concerning(1, niceWords), when: []test{
		has(2, 1<<31),
	}},

	// Keys, which do not belong to a namespace of their own.
	{number: unix.SYS_ADD_KEY, name: "add_key", look: texts(0, 1)},
	{number: unix.SYS_REQUEST_KEY, name: "request_key", look: texts(0, 1)},
	{number: unix.SYS_KEYCTL, name: "keyctl", look: format("operation %d", 0)},

	// Whoever opens a file of which another has a lease waits for it, up to 45 s.
	{number: unix.SYS_FCNTL, name: "fcntl", look: lookAtFcntl, when: []test{is(1, unix.F_SETLEASE)}},
	// Whoever listens there hears of every process of the machine, if anybody has asked for that; by the second, programs fill
	// each other's buffers, which are on nobody's account. To other families these protocols mean nothing.
	{number: unix.SYS_SOCKET, name: "socket", errno: unix.EACCES, look: lookAtSocket, when: []test{is(2, unix.NETLINK_CONNECTOR, unix.NETLINK_USERSOCK)}},

	// The kernel and the machine.
	{number: unix.SYS_BPF, name: "bpf", look: format("command %d", 0)},
	{number: unix.SYS_PERF_EVENT_OPEN, name: "perf_event_open", look: format("process %d, processor %d", 1, 2)},
	{number: unix.SYS_USERFAULTFD, name: "userfaultfd"},
	{number: unix.SYS_MEMFD_SECRET, name: "memfd_secret"},
	{number: unix.SYS_REMAP_FILE_PAGES, name: "remap_file_pages"},
	// io_uring makes calls that no filter sees. node asks whether it is there.
	{number: unix.SYS_IO_URING_SETUP, name: "io_uring_setup", errno: unix.ENOSYS, mute: true},
	{number: unix.SYS_IO_URING_ENTER, name: "io_uring_enter", errno: unix.ENOSYS, mute: true},
	{number: unix.SYS_IO_URING_REGISTER, name: "io_uring_register", errno: unix.ENOSYS, mute: true},
	{number: unix.SYS_KEXEC_LOAD, name: "kexec_load"},
	{number: unix.SYS_KEXEC_FILE_LOAD, name: "kexec_file_load"},
	{number: unix.SYS_INIT_MODULE, name: "init_module"},
	{number: unix.SYS_FINIT_MODULE, name: "finit_module"},
	{number: unix.SYS_DELETE_MODULE, name: "delete_module"},
	{number: unix.SYS_REBOOT, name: "reboot"},
	{number: unix.SYS_SETTIMEOFDAY, name: "settimeofday"},
	{number: unix.SYS_CLOCK_SETTIME, name: "clock_settime"},
	{number: unix.SYS_CLOCK_ADJTIME, name: "clock_adjtime"},
	{number: unix.SYS_ADJTIMEX, name: "adjtimex"},
	{number: unix.SYS_SETHOSTNAME, name: "sethostname"},
	{number: unix.SYS_SETDOMAINNAME, name: "setdomainname"},
	{number: unix.SYS_SYSLOG, name: "syslog", look: format("action %d", 0)},
	{number: unix.SYS_LOOKUP_DCOOKIE, name: "lookup_dcookie"},
	{number: unix.SYS_VHANGUP, name: "vhangup"},

	// The process itself. A filter of the program's own could hide from ours what it tries.
	{number: unix.SYS_SECCOMP, name: "seccomp", look: says(func(*call) string { return "a filter of its own" }), when: []test{
		is(0, unix.SECCOMP_SET_MODE_STRICT, unix.SECCOMP_SET_MODE_FILTER),
	}},
	// PR_SCHED_CORE keeps others from the second thread of a processor.
	{number: unix.SYS_PRCTL, name: "prctl", look: named(0, prctlNames), when: []test{
		is(0, unix.PR_SET_SECCOMP, unix.PR_SET_MM, unix.PR_SCHED_CORE),
	}},
	{number: unix.SYS_PERSONALITY, name: "personality", look: named(0, nil), when: []test{
		isNot(0, 0, addrNoRandomize, 0xffffffff),
	}},
	// Into a terminal: text as if typed, what is marked on a console, another line discipline.
	{number: unix.SYS_IOCTL, name: "ioctl", look: named(1, ioctlNames), when: []test{
		is(1, unix.TIOCSTI, unix.TIOCLINUX, unix.TIOCSETD),
	}},
}

// addrNoRandomize is the personality that debuggers and some runtimes ask for: memory is where it always is.
const addrNoRandomize = 0x40000

// refusedAmongEquals are calls that reach any process of the same user and no more rights, by its id.
var refusedAmongEquals = []rule{
	{number: unix.SYS_SCHED_SETSCHEDULER, when: []test{isNot(0, 0)}},
	{number: unix.SYS_SCHED_SETPARAM, name: "sched_setparam", look: concerning(0, nil), when: []test{isNot(0, 0)}},
	{number: unix.SYS_SETPRIORITY, when: []test{isNot(1, 0), is(0, unix.PRIO_USER)}},
	{number: unix.SYS_IOPRIO_SET, name: "ioprio_set", look: concerning(1, nil), when: []test{
		isNot(1, 0), is(0, ioprioWhoUser),
	}},
	// The owner of a descriptor gets its signals, and they can be any.
	{number: unix.SYS_FCNTL, when: []test{is(1, unix.F_SETOWN, unix.F_SETOWN_EX)}},
	{number: unix.SYS_IOCTL, when: []test{is(1, fioSetOwn, sioSetGroup)}},
}

// refusedWithoutNamespaces are what all processes share by System V IPC and message queues.
var refusedWithoutNamespaces = []rule{
	{number: unix.SYS_SHMGET, name: "shmget"},
	{number: unix.SYS_SHMAT, name: "shmat"},
	{number: unix.SYS_SHMCTL, name: "shmctl"},
	{number: unix.SYS_SEMGET, name: "semget"},
	{number: unix.SYS_SEMOP, name: "semop"},
	{number: unix.SYS_SEMTIMEDOP, name: "semtimedop"},
	{number: unix.SYS_SEMCTL, name: "semctl"},
	{number: unix.SYS_MSGGET, name: "msgget"},
	{number: unix.SYS_MSGSND, name: "msgsnd"},
	{number: unix.SYS_MSGRCV, name: "msgrcv"},
	{number: unix.SYS_MSGCTL, name: "msgctl"},
	{number: unix.SYS_MQ_OPEN, name: "mq_open", look: texts(0)},
	{number: unix.SYS_MQ_UNLINK, name: "mq_unlink", look: texts(0)},
}

// refusedWhereCounted would keep memory that belongs to no process, or more of it than is counted.
var refusedWhereCounted = []rule{
	{number: unix.SYS_MEMFD_CREATE, name: "memfd_create", errno: unix.ENOSYS, mute: true},
	// By EINVAL the kernel says of some files that they cannot be spliced or sent; who tries it copies then.
	{number: unix.SYS_VMSPLICE, name: "vmsplice", errno: unix.EINVAL, mute: true},
	{number: unix.SYS_SPLICE, name: "splice", errno: unix.EINVAL, mute: true},
	{number: unix.SYS_SENDFILE, name: "sendfile", errno: unix.EINVAL, mute: true},
	// A user may have only so many instances: who wants one knows that it may get none. In 100 of them 715 MiB waited.
	{number: unix.SYS_INOTIFY_INIT1, name: "inotify_init1", errno: unix.EMFILE, mute: true},
	// An access list takes up to 64 KiB of memory on a disk in memory, whose size does not count it. Some file systems have none.
	{number: unix.SYS_SETXATTR, name: "setxattr", errno: unix.EOPNOTSUPP, mute: true},
	{number: unix.SYS_LSETXATTR, name: "lsetxattr", errno: unix.EOPNOTSUPP, mute: true},
	{number: unix.SYS_FSETXATTR, name: "fsetxattr", errno: unix.EOPNOTSUPP, mute: true},
	{number: unix.SYS_SETXATTRAT, name: "setxattrat", errno: unix.ENOSYS, mute: true},
	// Buffers of sockets stay as large as they are at first. Who asks for another size is told that it has it: the kernel, too,
	// gives what it allows. Without a network, options of these numbers mean nothing to other protocols.
	{number: unix.SYS_SETSOCKOPT, name: "setsockopt", mute: true, noop: true, when: []test{
		is(2, unix.SO_SNDBUF, unix.SO_SNDBUFFORCE, unix.SO_RCVBUF, unix.SO_RCVBUFFORCE),
		is(2, unix.SO_ATTACH_FILTER, unix.SO_ATTACH_REUSEPORT_CBPF), // 88 KiB each
	}},
}

const ioprioWhoUser = 3

// askedAboutSignals are let go on if they go to a descendant. SIGURG, which does nothing where nobody waits for it,
// is what Go's runtime interrupts its own threads by. Go and Python do without signals by descriptor; and a
// descriptor can be another one by the time the kernel looks at it.
var askedAboutSignals = []rule{
	{number: unix.SYS_KILL, name: "kill", ask: true, look: lookAtKill},
	{number: unix.SYS_TKILL, name: "tkill", ask: true, look: lookAtSignal(1)},
	{number: unix.SYS_TGKILL, name: "tgkill", ask: true, look: lookAtSignal(2), when: []test{isNot(2, uint32(unix.SIGURG))}},
	{number: unix.SYS_RT_SIGQUEUEINFO, name: "rt_sigqueueinfo", ask: true, look: lookAtSignal(1)},
	{number: unix.SYS_RT_TGSIGQUEUEINFO, name: "rt_tgsigqueueinfo", ask: true, look: lookAtSignal(2)},
	{number: unix.SYS_PIDFD_SEND_SIGNAL, name: "pidfd_send_signal", errno: unix.ENOSYS, mute: true},
}

// refusedWithEmptyNetwork leaves the families that runtimes and libraries try without harm. The others are not
// all in a network namespace: vsock reaches the host of a virtual machine.
var refusedWithEmptyNetwork = []rule{
	{number: unix.SYS_SOCKET, name: "socket", errno: unix.EACCES, look: lookAtSocket, when: []test{
		isNot(0, unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK),
	}},
}

// reportedWithEmptyNetwork are not refused but reported: without these rules the kernel refuses them, too.
var reportedWithEmptyNetwork = []rule{
	{number: unix.SYS_CONNECT, name: "connect", errno: unix.ENETUNREACH, look: inEmptyNetwork(1, "connection to ")},
	{number: unix.SYS_BIND, name: "bind", errno: unix.EACCES, look: inEmptyNetwork(1, "port ")},
	{number: unix.SYS_SENDTO, name: "sendto", errno: unix.ENETUNREACH, look: inEmptyNetwork(4, "packet to "), when: notNull(4)},
}

// refusedWithoutNetwork leaves pairs of connected sockets, and TCP sockets that Java likes to make but that cannot
// be connected. There are no datagrams, nor protocols such as SCTP: they find their receiver by sendmsg, whose
// address no filter sees.
var refusedWithoutNetwork = []rule{
	{number: unix.SYS_SOCKET, name: "socket", errno: unix.EACCES, look: lookAtSocket, when: []test{
		isNot(0, unix.AF_UNIX, unix.AF_INET, unix.AF_INET6),
		isNot(1, unix.SOCK_STREAM).masked(socketType),
		isNot(2, 0, unix.IPPROTO_TCP, unix.IPPROTO_MPTCP),
	}},
	{number: unix.SYS_SOCKETPAIR, name: "socketpair", errno: unix.EACCES, look: lookAtSocket, when: []test{
		isNot(0, unix.AF_UNIX),
		isNot(1, unix.SOCK_STREAM, unix.SOCK_SEQPACKET).masked(socketType),
	}},
	{number: unix.SYS_CONNECT, name: "connect", errno: unix.EACCES, look: lookAtAddress(1, "connection to ")},
	{number: unix.SYS_BIND, name: "bind", errno: unix.EACCES, look: lookAtAddress(1, "port ")},
	{number: unix.SYS_LISTEN, name: "listen", errno: unix.EACCES}, // binds to any port
	{number: unix.SYS_SENDTO, name: "sendto", errno: unix.EACCES, look: lookAtAddress(4, "packet to "), when: notNull(4)},
	// TCP connects by them, too.
	{number: unix.SYS_SENDMSG, name: "sendmsg", errno: unix.EACCES, look: fastOpen, when: []test{has(2, unix.MSG_FASTOPEN)}},
	{number: unix.SYS_SENDMMSG, name: "sendmmsg", errno: unix.EACCES, look: fastOpen, when: []test{has(3, unix.MSG_FASTOPEN)}},
}

// socketType are the bits of a socket's type; it shares its argument with flags.
const socketType = 0xf

var fastOpen = says(func(*call) string { return "a connection by MSG_FASTOPEN" })

// rules are what a filter refuses, one for each number.
func (f Spec) rules() []rule {
	all := slices.Concat(refusedAlways, refusedOnThisArch)
	if f.Equals || !f.Namespaces {
		all = append(all, refusedAmongEquals...)
	}
	if !f.Namespaces {
		all = append(all, refusedWithoutNamespaces...)
	}
	if f.Counted {
		all = append(append(all, refusedWhereCounted...), countedOnThisArch...)
		if f.Namespaces {
			all = append(all, rule{number: unix.SYS_SEMGET, name: "semget", errno: unix.ENOSYS, mute: true},
				rule{number: unix.SYS_MSGGET, name: "msgget", errno: unix.ENOSYS, mute: true})
		}
	}
	if f.Lasting {
		all = append(append(all, refusedWhereLasting...), lastingOnThisArch...)
	}
	if f.Signals {
		all = append(all, askedAboutSignals...)
	}
	switch {
	case f.Network:
	case !f.EmptyNamespace:
		all = append(all, refusedWithoutNetwork...)
	case f.Notify:
		all = append(all, reportedWithEmptyNetwork...)
		fallthrough
	default:
		all = append(all, refusedWithEmptyNetwork...)
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
