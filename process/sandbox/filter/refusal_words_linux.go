package filter

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// namespaces are what flags of clone, unshare and setns make, or enter.
var namespaces = []namedBits{
	{unix.CLONE_NEWUSER, "user namespace"},
	{unix.CLONE_NEWNS, "mount namespace"},
	{unix.CLONE_NEWPID, "process namespace"},
	{unix.CLONE_NEWNET, "network namespace"},
	{unix.CLONE_NEWIPC, "IPC namespace"},
	{unix.CLONE_NEWUTS, "host name namespace"},
	{unix.CLONE_NEWCGROUP, "cgroup namespace"},
	{unix.CLONE_NEWTIME, "time namespace"},
}

var prctlNames = map[uint32]string{unix.PR_SET_SECCOMP: "PR_SET_SECCOMP", unix.PR_SET_MM: "PR_SET_MM", unix.PR_SCHED_CORE: "PR_SCHED_CORE"}

var ioctlNames = map[uint32]string{
	unix.TIOCSTI:   "TIOCSTI: text as if typed at the terminal",
	unix.TIOCLINUX: "TIOCLINUX: a console's selection",
	unix.TIOCSETD:  "TIOCSETD: a terminal's line discipline",
	fioSetOwn:      "FIOSETOWN: a descriptor's signals",
	sioSetGroup:    "SIOCSPGRP: a descriptor's signals",
}

// The names of the kernel are FIOSETOWN and SIOCSPGRP.
const (
	fioSetOwn   = 0x8901
	sioSetGroup = 0x8902
)

var ptraceNames = map[uint32]string{
	unix.PTRACE_TRACEME: "PTRACE_TRACEME", unix.PTRACE_PEEKTEXT: "PTRACE_PEEKTEXT", unix.PTRACE_PEEKDATA: "PTRACE_PEEKDATA",
	unix.PTRACE_POKETEXT: "PTRACE_POKETEXT", unix.PTRACE_POKEDATA: "PTRACE_POKEDATA", unix.PTRACE_ATTACH: "PTRACE_ATTACH",
	unix.PTRACE_SEIZE: "PTRACE_SEIZE",
}

// lookAtPtrace does not report what a program does to its own process or its parent: leak checkers of C++ stop
// their threads by it.
func lookAtPtrace(c *call) finding {
	request := nameOf(uint32(c.arg(0)), ptraceNames)
	if c.int(0) == unix.PTRACE_TRACEME {
		return finding{detail: request}
	}
	return finding{detail: fmt.Sprintf("%s of process %d", request, c.int(1)), harmless: func() bool {
		target := processOf(int(c.int(1)))
		caller := processOf(int(c.notification.PID))
		return target.id != 0 && target.id != os.Getpid() && (target.id == caller.id || target.id == caller.parent)
	}}
}

// processOf is the process of a thread, and its parent; 0 if there is no such thread.
func processOf(thread int) (p struct{ id, parent int }) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", thread))
	number := func(name string) int {
		_, rest, _ := bytes.Cut(status, []byte(name))
		digits, _, _ := bytes.Cut(rest, []byte{'\n'})
		n, _ := strconv.Atoi(string(digits))
		return n
	}
	p.id, p.parent = number("\nTgid:\t"), number("\nPPid:\t")
	return p
}

var policies = map[uint32]string{
	unix.SCHED_NORMAL: "SCHED_OTHER", unix.SCHED_FIFO: "SCHED_FIFO", unix.SCHED_RR: "SCHED_RR", unix.SCHED_BATCH: "SCHED_BATCH",
	unix.SCHED_IDLE: "SCHED_IDLE", unix.SCHED_DEADLINE: "SCHED_DEADLINE", unix.SCHED_EXT: "SCHED_EXT",
}

func schedulerWords(c *call) string {
	return nameOf(uint32(c.arg(1))&^unix.SCHED_RESET_ON_FORK, policies)
}

// concerning adds to words the process or thread that an argument names, unless it is of the caller's own
// process. What a filter only refuses because it cannot know that is not reported.
func concerning(argument int, words func(*call) string) func(*call) finding {
	return func(c *call) finding {
		f := finding{}
		if words != nil {
			f.detail = words(c)
		}
		target := processOf(int(c.int(argument)))
		if c.int(argument) == 0 || target.id != 0 && target.id == processOf(int(c.notification.PID)).id {
			f.harmless = func() bool { return words == nil }
			return f
		}
		f.detail = strings.TrimSuffix(fmt.Sprintf("process %d, %s", c.int(argument), f.detail), ", ")
		return f
	}
}

func lookAtFcntl(c *call) finding {
	if c.int(1) == unix.F_SETLEASE {
		return finding{detail: fmt.Sprintf("a lease of what descriptor %d has open", c.int(0))}
	}
	return finding{detail: fmt.Sprintf("the owner of descriptor %d becomes process %d", c.int(0), c.int(2))}
}

func niceWords(c *call) string { return fmt.Sprintf("nice %d", c.int(2)) }
