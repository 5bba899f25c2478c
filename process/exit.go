package process

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"luzhanqi/text"
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
	// Suspected are limits, in words, that a failure may be due to. A program that is refused memory
	// ends as its language ends it, and nobody can tell that from other ends.
	Suspected string
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
	if e.Suspected != "" {
		text += "; its limit of " + e.Suspected + " may be why"
	}
	return text
}

// confined adds to an exit what it says about the limits of the program. watched is the limit that
// it was killed for, if it was.
func (e Exit) confined(c Confinement, watched Limit) Exit {
	spent := c.CPU != 0 && e.User+e.System >= time.Duration(c.seconds())*time.Second
	switch {
	case watched != NoLimit:
		e.Exceeded = watched
	case c.CPU != 0 && isCPUSignal(e.Signal), spent && e.Signal == syscall.SIGKILL: // when it has caught the first signal
		e.Exceeded = LimitCPU
	case c.FileSize != 0 && isFileSizeSignal(e.Signal):
		e.Exceeded = LimitFileSize
	}
	e.Of = c.exceeded(e.Exceeded)
	if e.Exceeded != NoLimit || e.Code == 0 && e.Signal == 0 {
		return e
	}
	var suspected []string
	if spent { // some languages make the signal an exit code
		suspected = append(suspected, c.time()+" of processor time")
	}
	if c.Memory != 0 {
		suspected = append(suspected, text.Bytes(c.Memory)+" of memory")
	}
	e.Suspected = strings.Join(suspected, " or ")
	return e
}
