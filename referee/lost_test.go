package referee

import (
	"syscall"
	"testing"

	"luzhanqi/game"
	"luzhanqi/process"
)

// gone is a program that has exited.
type gone struct {
	conversant
	exit process.Exit
}

func (g gone) Exited() <-chan struct{} {
	exited := make(chan struct{})
	close(exited)
	return exited
}

func (g gone) Exit() process.Exit { return g.exit }

// TestLost: a program that died with what supervises all of them is not at fault; one that was killed is.
func TestLost(t *testing.T) {
	for lost, want := range map[bool]Code{true: Void, false: Crashed} {
		s := dialogue{program: program{side: game.First, process: gone{exit: process.Exit{Code: -1, Signal: syscall.SIGKILL, Lost: lost}}}}
		if foul := s.ended(t.Context()); foul.Code != want || lost && foul.By != ByMachine {
			t.Errorf("lost %v: %+v, want %v", lost, foul, want)
		}
	}
}
