package main

import (
	"maps"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestStart: no command may compute more than this before it begins its work. Scripts start commands by the thousand, and referees our
// players. The tests' own binary has some more to initialise than the command. On two busy processors `luzhanqi games` took 12 ms and 1,050
// page faults, and 28 ms and 2,300 when the parser still knew all commands; the list of all of them is the dearest that is left.
//
// Processor time hardly depends on what else the machine does, and the best of many starts even less; mostly the first will do.
func TestStart(t *testing.T) {
	const most, starts = 25 * time.Millisecond, 40
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector computes, too")
	}
	all := [][]string{{"games"}, {"--version"}, {"--help"}}
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		all = append(all, append(strings.Fields(name), "--help"))
	}
	for _, args := range all {
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
