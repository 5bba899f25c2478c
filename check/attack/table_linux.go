package attack

// attack is something that a program may try.
type attack struct {
	name string // never changes again
	gets string
	promise
	// try returns what it got, or why nothing. Nil: only the observer sees what came of it.
	try func(*Scene) (evidence string, err error)
}

// table are all attacks, in the order in which they are tried.
var table = []attack{
	{"see-processes", "the referee and its opponent in the list of processes", byNamespaces, seeProcesses},
	{"signal", "signals to the referee or the opponent: it could end or stop them", byBoth, sendSignals},
	{"ptrace", "the referee or the opponent traced: it could do anything in their name", byBoth, trace},
	{"read-memory", "the referee's memory, with hidden pieces in it", byBoth, readMemory},
	{"descriptors", "the referee's or the opponent's open files", byBoth, descriptors},
	{"inspect", "what the kernel tells of others only to those who may trace them: maps, locks, working directories", byBoth, inspect},
	{"counts", "the numbers of the open files of the referee or the opponent", promise{guarded: true, because: "where the list of processes is the machine's, those of the same user can be counted"}, count},
	{"environment", "the referee's or the opponent's environment", byBoth, environment},
	{"secrets", "a token in anybody's environment or on a command line", byBoth, secrets},
	{"supervisor", "files and memory of process 1, and by it of all others", byBoth, initProcess},
	{"opponent-output", "a line written in the opponent's name, such as its resignation", byBoth, writeOutput},
	{"limits", "limits and priorities of the referee or the opponent", byBoth, changeLimits},

	{"hidden-file", "what is in a hidden file, such as a record", byBoth, readHidden},
	{"watch", "news of when a hidden file is written", promise{guarded: true, because: "Landlock knows nothing of who watches a file whose name he knows"}, watch},
	{"leases", "leases of the opponent's files: whoever opens them waits for 45 s", byBoth, lease},
	{"opponent-directory", "changes in the opponent's directory", byBoth, changeOther},
	{"opponent-modes", "modes and times of the opponent's files", promise{guarded: true, because: "Landlock knows nothing of modes and times"}, changeModes},
	{"own-directory", "changes in its own directory that outlast the game", byBoth, changeOwn},
	{"read-files", "files of its user that lie elsewhere", bySealing, readElsewhere},
	{"shadow", "the machine's passwords, the kernel's memory, and other files that only root may read", byBoth, readRoots},
	{"handles", "files by their handles, past all directories", byBoth, handles},
	{"temporary-files", "files of others in /tmp and /var/tmp", byBoth, readTemporary},
	{"shared-files", "files of others in /dev/shm", byBoth, readShared},
	{"fill-disk", "more of the disk than its share", byNamespaces, fillDisk},
	{"many-files", "more files than its share of the disk can hold", byNamespaces, manyFiles},
	{"core-dump", "a core dump left behind", byBoth, dumpCore},
	{"settings", "the settings of the machine", byBoth, openSettings},
	{"devices", "devices, such as disks", byBoth, openDevices},

	{"capabilities", "capabilities, or the user id 0", byBoth, capabilities},
	{"new-privileges", "the way to more privileges: no_new_privs is not set", byBoth, newPrivileges},
	{"set-uid", "another user's rights, by a set-uid program", byBoth, becomeRoot},
	{"mount", "a file system mounted", byBoth, mount},
	{"user-namespace", "a user namespace, in which it is root", byBoth, userNamespace},
	{"namespaces", "other namespaces of its own", byBoth, namespaces},
	{"clone3", "clone3, whose arguments no filter can see", byBoth, clone3},
	{"io-uring", "io_uring, whose calls no filter can see", byBoth, ioUring},
	{"keys", "the kernel's keyrings", byBoth, keyrings},
	{"kernel-calls", "system calls that are known for faults: bpf, userfaultfd, perf_event_open, fanotify, memfd_secret", byBoth, kernelCalls},
	{"foreign-calls", "system calls by the numbers of another architecture, which no filter knows", byBoth, foreignCalls},
	{"x32-calls", "system calls of x32, whose numbers are others", byBoth, x32Calls},
	{"machine", "the machine's clock, name, modules, swap and messages", byBoth, machine},
	{"waiting-signals", "all signals that its user may have waiting: others of that user get no timers", byNamespaces, hoardSignals},
	{"affinity", "the choice of its processors", byBoth, affinity},
	{"priority", "a higher priority than others", byBoth, priority},
	{"inherited", "files that somebody left open when the referee was started", always, inherited},
	{"own-environment", "a token in its own environment", promise{because: "a guarded program has its user's environment"}, ownEnvironment},

	{"terminal", "text typed into the referee's terminal", byBoth, typeIn},
	{"abstract-socket", "an abstract Unix socket of the machine", promise{filtered: true, guarded: true, landlock: 6, because: hasNetwork}, abstractSocket},
	{"temporary-socket", "a Unix socket of others in /tmp or /run, such as of the machine's services", byNamespaces, temporarySocket},
	{"path-socket", "a Unix socket of its user that lies elsewhere", byNoNetwork, pathSocket},
	{"loopback", "a server on this machine, by TCP or UDP", byNoNetwork, loopback},
	{"network", "the network outside (192.0.2.1, which leads nowhere)", byNoNetwork, network},
	{"raw-sockets", "packets of others", byBoth, rawSockets},
	{"socket-families", "sockets that lead past any network: vsock, Bluetooth", byNoNetwork, families},
	{"shared-memory", "System V shared memory, semaphores or messages of others", byBoth, systemV},
	{"message-queue", "a POSIX message queue of others", byBoth, messageQueue},

	{"outlive", "a process that outlives the game", always, outlive},
	{forkBomb, "more processes than its limit", always, nil},
}

// forkBomb is tried in a run of its own, since it ends that.
const forkBomb = "fork-bomb"
