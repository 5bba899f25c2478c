package process

import (
	"fmt"
	"syscall"
	"time"

	"luzhanqi/process/sandbox"
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

	Refused []sandbox.Refusal // system calls that a sealed program made and was refused
	Changed []string          // files of its working directory that a program with a layer has changed, some of them
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
