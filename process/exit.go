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
}

func (e Exit) String() string {
	switch {
	case e.Killed:
		return "did not exit by itself and was killed by the referee"
	case e.Signal != 0:
		return fmt.Sprintf("was killed by signal %d (%v)", int(e.Signal), e.Signal)
	}
	return fmt.Sprintf("exited with code %d", e.Code)
}
