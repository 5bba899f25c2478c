package main

import (
	"os"
	"testing"

	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
)

// TestTotalMemoryOfSealed: a sealed program has a total of memory of which nothing was said, and keeps one of which something was.
func TestTotalMemoryOfSealed(t *testing.T) {
	if err := process.Isolation().Sealed(); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		profile    sandbox.Profile
		given, got int64
	}{{sandbox.Guarded, 0, 0}, {sandbox.Sealed, 0, process.SealedTotal}, {sandbox.Sealed, 1 << 40, 1 << 40}} {
		entrants := []referee.Entrant{{Command: process.Command{Args: []string{"bot"}, Confine: process.Confinement{Total: c.given}}}}
		flags := sandboxFlags{Sandbox: string(c.profile)}
		if err := flags.shutIn(&stdio{err: os.Stderr}, entrants); err != nil {
			t.Fatal(err)
		}
		if got := entrants[0].Command.Confine.Total; got != c.got {
			t.Errorf("%s, %d given: %d bytes in all, want %d", c.profile, c.given, got, c.got)
		}
	}
}
