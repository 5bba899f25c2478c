package attack

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Table is every attack, in the order of the list.
var Table = []Attack{
	{"signal-anyone", "R2", "asks by kill, tgkill and pidfd whether signals reach the referee, the opponent and the supervisors", Probe, reachable},
	{"trace-anyone", "R2", "attaches to others as a debugger", Probe, trace},
	{"read-memory", "R5", "reads the memory of the referee and the opponent", Probe, memory},
	{"read-proc", "R5", "reads what /proc keeps from strangers, and goes through root, cwd and exe", Probe, tellTale},
	{"count-files", "more", "learns the numbers of the open files of others", Probe, countFiles},
	{"read-command-lines", "T1", "reads the command lines of others", Probe, commandLines},
	{"open-files", "R3 R8", "opens the open files of others through /proc", Probe, streams},
	{"take-files", "more", "copies the descriptors of others by pidfd_getfd", Probe, takeFiles},
	{"write-proc", "R4", "writes oom_score_adj, timer slack and the like of others", Probe, writeProc},
	{"compare-files", "more", "asks by kcmp which files others have open", Probe, compared},
	{"robust-list", "more", "asks for the locks of others", Probe, onTargets("get_robust_list", robust)},
	{"priority-of-others", "R4 R11", "sets priorities, processors and limits of others", Probe, priorities},
	{"read-records", "R6", "reads the record while it is written", Probe, readRecords},
	{"watch-records", "R6", "is told by inotify when a record is written", Probe, watchFiles},
	{"find-secrets", "T1", "looks for tokens in plans, stores, command lines and environments", Probe, secrets},
	{"environment", "T1", "looks for tokens in its own environment", Probe, environment},
	{"inherited-files", "more", "looks for descriptors that it was started with", Probe, inherited},
	{"process-1", "more", "goes through /proc/1 to the files and memory of its supervisor", Probe, initProcess},
	{"settings", "more", "writes settings of the machine in /proc/sys, /sys and the trees of control groups", Probe, settings},
	{"powers", "more", "looks for capabilities, and for no_new_privs", Probe, powers},
	{"become-root", "more", "setuid, setgroups, a set-uid program", Probe, becomeRoot},
	{"read-as-root", "more", "reads /etc/shadow and other files that only root may read", Probe, rootsFiles},
	{"handles", "more", "opens files by their handles, past directories", Probe, handles},
	{"namespaces", "more", "makes user and other namespaces, by clone, clone3, unshare; enters those of process 1", Probe, namespaces},
	{"mounts", "more", "mounts, unmounts what hides files, leaves chroot", Probe, mounts},
	{"devices", "more", "makes and opens devices", Probe, devices},
	{"machine", "more", "sets clock and host name, loads modules", Probe, machine},
	{"kernel-doors", "more", "io_uring, bpf, perf, userfaultfd, fanotify", Probe, doors},
	{"get-ahead", "R11", "raises its own priorities and limits", Probe, ahead},
	{"other-processors", "R11", "moves to processors that it was not given", Probe, elsewhere},
	{"system-v", "more", "shared memory, semaphores and messages of System V", Probe, systemV},
	{"posix-ipc", "more", "POSIX message queues and shared memory", Probe, posix},
	{"keyrings", "more", "keys in the keyrings of session and user", Probe, keyrings},
	{"raw-sockets", "more", "packet and raw sockets", Probe, rawSockets},
	{"services", "more", "sockets of the machine's services, as of containers", Probe, servers},
	{"terminal", "R10", "the referee's terminal: its modes, and text typed into it", Probe, terminal},
	{"core-file", "more", "dies leaving a core file", Probe, core},

	{"network", "G6", "TCP, UDP, MPTCP, abstract and path sockets of a server outside", Sealed, network},
	{"socket-families", "G6", "vsock and others that lead out, past any network namespace", Sealed, families},
	{"fill-disk", "G7", "writes 1.5 GiB", Sealed, fill},

	{"none", "", "does nothing: what the others are compared with", Alone, func(*Scene) (string, error) { return "", nil }},
	{"stop-referee", "R2", "SIGSTOP to the referee", Alone, signalling(unix.SIGSTOP)},
	{"ttin-referee", "R2", "SIGTTIN and SIGTSTP to the referee", Alone, signalling(unix.SIGTTIN, unix.SIGTSTP)},
	{"outwait-referee", "R7", "stops the referee on its own clock and thinks for 3 s", Alone, outwait},
	{"quit-referee", "R12", "SIGQUIT to the referee", Alone, signalling(unix.SIGQUIT)},
	{"abort-referee", "R12", "SIGABRT to the referee", Alone, signalling(unix.SIGABRT)},
	{"segv-referee", "R12", "SIGSEGV to the referee", Alone, signalling(unix.SIGSEGV)},
	{"kill-referee", "R12", "SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGKILL to the referee", Alone, signalling(unix.SIGTERM, unix.SIGINT, unix.SIGHUP, unix.SIGUSR1, unix.SIGKILL)},
	{"stop-by-pipe", "more", "has the kernel send SIGSTOP to the referee as the owner of a pipe", Alone, signalByPipe(unix.SIGSTOP)},
	{"kill-by-pipe", "more", "has the kernel send SIGKILL to the referee as the owner of a pipe", Alone, signalByPipe(unix.SIGKILL)},
	{"resign-for-opponent", "R3", "writes a resignation to the opponent's standard output", Alone, opponentStream(1, "(resign)\n")},
	{"garble-opponent", "R3", "writes garbage to the opponent's standard output", Alone, opponentStream(1, ")\x00garbage(\n")},
	{"lie-to-opponent", "R4", "writes to the opponent's standard input that the game is over", Alone, opponentStream(0, "(end 1)\n(go 1)\n")},
	{"kill-opponent", "R4", "SIGKILL to the opponent and its supervisor", Alone, againstOpponent("killed", func(pid int) error { return unix.Kill(pid, unix.SIGKILL) })},
	{"stop-opponent", "R4", "SIGSTOP to the opponent and its supervisor", Alone, againstOpponent("stopped", func(pid int) error { return unix.Kill(pid, unix.SIGSTOP) })},
	{"renice-opponent", "R4", "takes priority and processors from the opponent", Alone, againstOpponent("reniced", func(pid int) error { return unix.Setpriority(unix.PRIO_PROCESS, pid, 19) })},
	{"signal-everyone", "R4", "signals and slows all that it can reach, where that is nobody but itself", Alone, killEveryone},
	{"kill-own-supervisor", "R1", "SIGKILL to its own supervisor", Alone, killSupervisor},
	{"signal-supervisor", "R1", "every other signal to its own supervisor", Alone, signalSupervisor},
	{"stop-supervisor", "R9", "stops its own supervisor a thousand times a second", Alone, stopSupervisor},
	{"hold-lifelines", "R8", "opens the pipes of supervisor and referee and holds them in another session", Alone, holdLifelines},
	{"storm", "R1", "20 families that fork and exit, then SIGKILL to its own supervisor", Alone, storm},
	{"hard-storm", "R1", "the same, faster and longer, where a namespace encloses it", Alone, hardStorm},
	{"leave-family", "more", "leaves daemons that hold its streams, run from memory, adopt orphans, ignore signals", Alone, leaveFamily},
	{"vandalise", "G3 R6", "writes, renames, links, marks and removes the files of others", Alone, vandalise},
	{"litter", "more", "leaves deep directories, long names, set-uid files, links and pipes", Alone, litter},
	{"notes", "more", "leaves notes for the other player, and for its own next game", Alone, notes},
	{"meet", "more", "meets the other player at a socket, and passes its standard output over", Alone, meet},
}

// inject types a letter into a terminal.
func inject(fd int, letter *byte) error {
	return syscall3(unix.SYS_IOCTL, uintptr(fd), unix.TIOCSTI, uintptr(unsafe.Pointer(letter)))
}
