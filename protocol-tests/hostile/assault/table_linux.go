package assault

import "golang.org/x/sys/unix"

// Table is every attack, in the order of the list.
var Table = []Attack{
	{"none", "", "does nothing: what the others are compared with", func(*Scene) (string, error) { return "", nil }},
	{"stop-referee", "R2", "SIGSTOP to the referee", signalling(unix.SIGSTOP)},
	{"ttin-referee", "R2", "SIGTTIN and SIGTSTP to the referee", signalling(unix.SIGTTIN, unix.SIGTSTP)},
	{"outwait-referee", "R7", "stops the referee on its own clock and thinks for 3 s", outwait},
	{"quit-referee", "R12", "SIGQUIT to the referee", signalling(unix.SIGQUIT)},
	{"abort-referee", "R12", "SIGABRT to the referee", signalling(unix.SIGABRT)},
	{"segv-referee", "R12", "SIGSEGV to the referee", signalling(unix.SIGSEGV)},
	{"kill-referee", "R12", "SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGKILL to the referee", signalling(unix.SIGTERM, unix.SIGINT, unix.SIGHUP, unix.SIGUSR1, unix.SIGKILL)},
	{"stop-by-pipe", "more", "has the kernel send SIGSTOP to the referee as the owner of a pipe", signalByPipe(unix.SIGSTOP)},
	{"kill-by-pipe", "more", "has the kernel send SIGKILL to the referee as the owner of a pipe", signalByPipe(unix.SIGKILL)},
	{"resign-for-opponent", "R3", "writes a resignation to the opponent's standard output", opponentStream(1, "(resign)\n")},
	{"garble-opponent", "R3", "writes garbage to the opponent's standard output", opponentStream(1, ")\x00garbage(\n")},
	{"lie-to-opponent", "R4", "writes to the opponent's standard input that the game is over", opponentStream(0, "(end 1)\n(go 1)\n")},
	{"kill-opponent", "R4", "SIGKILL to the opponent and its supervisor", againstOpponent("killed", func(pid int) error { return unix.Kill(pid, unix.SIGKILL) })},
	{"stop-opponent", "R4", "SIGSTOP to the opponent and its supervisor", againstOpponent("stopped", func(pid int) error { return unix.Kill(pid, unix.SIGSTOP) })},
	{"renice-opponent", "R4", "takes priority and processors from the opponent", againstOpponent("reniced", func(pid int) error { return unix.Setpriority(unix.PRIO_PROCESS, pid, 19) })},
	{"signal-everyone", "R4", "signals and slows all that it can reach, where that is nobody but itself", killEveryone},
	{"kill-own-supervisor", "R1", "SIGKILL to its own supervisor", killSupervisor},
	{"signal-supervisor", "R1", "every other signal to its own supervisor", signalSupervisor},
	{"stop-supervisor", "R9", "stops its own supervisor a thousand times a second", stopSupervisor},
	{"hold-lifelines", "R8", "opens the pipes of supervisor and referee and holds them in another session", holdLifelines},
	{"storm", "R1", "20 families that fork and exit, then SIGKILL to its own supervisor", storm},
	{"hard-storm", "R1", "the same, faster and longer, where a namespace encloses it", hardStorm},
	{"leave-family", "more", "leaves daemons that hold its streams, run from memory, adopt orphans, ignore signals", leaveFamily},
	{"vandalise", "G3 R6", "writes, renames, links, marks and removes the files of others", vandalise},
	{"litter", "more", "leaves deep directories, long names, set-uid files, links and pipes", litter},
	{"notes", "more", "leaves notes for the other player, and for its own next game", notes},
	{"meet", "more", "meets the other player at a socket, and passes its standard output over", meet},
}
