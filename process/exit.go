package process

import (
	"fmt"
	"syscall"
	"time"
)

// Exit is how a program ended.
type Exit struct {
	Code   int            // exit code; -1 when a signal ended it
	Signal syscall.Signal // the signal, or 0
	Killed bool           // it was still running when the referee ended it
	User   time.Duration  // processor time of the program and of its children that it waited for
	System time.Duration
	MaxRSS int64 // bytes; 0: not known on this system

	Exceeded Limit  // the limit that ended it, as far as that can be known
	Of       string // what was exceeded, in words: "more than 16 processes at once"
	// Memory is its limit of memory in bytes, or 0. A program that is refused memory ends as its
	// language ends it, so nobody can tell that end from others.
	Memory int64
}

func (e Exit) String() string {
	text := fmt.Sprintf("exited with code %d", e.Code)
	switch {
	case e.Killed:
		return "did not exit by itself and was killed by the referee"
	case e.Exceeded != NoLimit:
		return fmt.Sprintf("was killed for using %s, its limit", e.Of)
	case e.Signal != 0:
		text = fmt.Sprintf("was killed by signal %d (%v)", int(e.Signal), e.Signal)
	}
	if e.Memory != 0 && (e.Code != 0 || e.Signal != 0) {
		text += fmt.Sprintf("; its limit of %v of memory may be why", Bytes(e.Memory))
	}
	return text
}

// confined adds to an exit what it says about the limits of the program. watched is the limit that
// it was killed for, if it was.
func (e Exit) confined(c Confinement, watched Limit) Exit {
	e.Memory, e.Exceeded = c.Memory, watched
	switch {
	case watched != NoLimit:
	case c.CPU != 0 && (isCPUSignal(e.Signal) || e.Signal == syscall.SIGKILL && e.User+e.System >= time.Duration(c.seconds())*time.Second):
		e.Exceeded = LimitCPU // by SIGKILL if it has caught the first signal
	case c.FileSize != 0 && isFileSizeSignal(e.Signal):
		e.Exceeded = LimitFileSize
	}
	e.Of = c.exceeded(e.Exceeded)
	return e
}
