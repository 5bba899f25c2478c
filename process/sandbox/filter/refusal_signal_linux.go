package filter

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A signal's receiver is in the arguments themselves, which no longer change once a call is looked at. For the
// wrong process to get it, the right one would have to end and its number to be given to a process of somebody
// else in the microseconds between the look and the signal.

// lookAtKill is a signal to a process (above 0), to a group (the caller's own: 0) or to all (-1).
func lookAtKill(c *call) finding {
	to := int(c.int(0))
	words := fmt.Sprintf("process %d", to)
	switch {
	case to == -1:
		return finding{detail: signalWords(c, 1, "all processes")}
	case to == 0:
		group, err := unix.Getpgid(int(c.notification.PID))
		if err != nil {
			return finding{}
		}
		words, to = "its process group", group
	case to < 0:
		words, to = fmt.Sprintf("process group %d", -to), -to
	}
	// A group's number is that of the process that began it. If it is none of the program's, or is gone, the
	// group may have other members.
	return finding{detail: signalWords(c, 1, words), goOn: descends(to)}
}

// lookAtSignal is a signal to the thread or process of the first argument.
func lookAtSignal(argument int) func(c *call) finding {
	return func(c *call) finding {
		to := int(c.int(0))
		return finding{detail: signalWords(c, argument, fmt.Sprintf("process %d", to)), goOn: descends(to)}
	}
}

func signalWords(c *call, argument int, to string) string {
	name := unix.SignalName(unix.Signal(c.int(argument)))
	if name == "" {
		name = fmt.Sprintf("signal %d", c.int(argument))
	}
	return name + " to " + to
}

// descends says whether a thread belongs to what this process has started. What lost its parent is given to this
// process, which is their subreaper.
func descends(thread int) bool {
	p := processOf(thread)
	for range maxGenerations {
		if p.id == os.Getpid() || p.parent <= 1 && p.parent != os.Getpid() {
			return false
		}
		if p.parent == os.Getpid() {
			return true
		}
		p = processOf(p.parent)
	}
	return false
}

// maxGenerations bounds the work for one signal. A shell that starts a shell that starts a program is three.
const maxGenerations = 100
