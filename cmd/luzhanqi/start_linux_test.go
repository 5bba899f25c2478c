package main

import (
	"os/exec"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// TestStart: no command may compute more than this before it begins its work. Scripts start commands by the thousand, and referees our
// players. The tests' own binary has some more to initialise than the command, for which `luzhanqi games` took 12.5 ms and
// this test 16 ms where they were measured, on two busy processors.
//
// Processor time hardly depends on what else the machine does, and the best of many starts even less; mostly the first will do.
func TestStart(t *testing.T) {
	const most, starts = 25 * time.Millisecond, 40
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector computes, too")
	}
	for _, args := range [][]string{{"games"}, {"--version"}, {"--help"}, {"tournament", "run", "--help"}} {
		least := time.Hour
		for range starts {
			command := exec.Command("luzhanqi", args...)
			if err := command.Run(); err != nil {
				t.Fatalf("luzhanqi %v: %v", args, err)
			}
			if least = min(least, command.ProcessState.UserTime()+command.ProcessState.SystemTime()); least <= most {
				break
			}
		}
		if least > most {
			t.Errorf("luzhanqi %v computes for %v or more, and %v are allowed; GODEBUG=inittrace=1 shows what begins before main", args, least, most)
		}
	}
}
