package process

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// hurry lets the calling goroutine run before all ordinary threads of the machine, if this user may
// do that (root may): it has to be faster than a thousand processes that fork. Where it is not
// allowed, what helps is that the program has a session of its own, to which the scheduler gives no
// more than to this process.
func hurry() {
	runtime.LockOSThread()
	unix.SchedSetAttr(0, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK,
	}, 0)
}
