package main

import (
	"maps"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/protocol-tests/protocoltest"
)

// TestStart: no command may compute more than this before it begins its work. Scripts start commands by the thousand, and referees our
// players. The tests' own binary has some more to initialise than the command. On two busy processors `luzhanqi games` took 12 ms and 1,050
// page faults, and 28 ms and 2,300 when the parser still knew all commands; the list of all of them is the dearest that is left.
//
// Processor time hardly depends on what else the machine does, and the best of many starts even less; mostly the first will do. But there
// are machines on which each page that is touched for the first time costs 30 µs. Where a small program takes more than slow to start,
// what is allowed is so many times what it takes.
func TestStart(t *testing.T) {
	const (
		starts = 40
		slow   = 3 * time.Millisecond
		times  = 17
	)
	most := 25 * time.Millisecond
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector computes, too")
	}
	small, err := protocoltest.Program(t.TempDir(), "luzhanqi/protocol-tests/nonamespaces")
	if err != nil {
		t.Fatal(err)
	}
	least := func(enough time.Duration, program string, args ...string) time.Duration {
		least := time.Hour
		for range starts {
			command := exec.Command(program, args...)
			if err := command.Run(); err != nil && program != small { // who says what is wrong with its command line
				t.Fatalf("%s %v: %v", program, args, err)
			}
			if least = min(least, command.ProcessState.UserTime()+command.ProcessState.SystemTime()); least <= enough {
				break
			}
		}
		return least
	}
	if took := least(0, small); took > slow {
		most = times * took
		t.Logf("a small program computes for %v: %v are allowed", took, most)
	}
	all := [][]string{{"games"}, {"--version"}, {"--help"}}
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		all = append(all, append(strings.Fields(name), "--help"))
	}
	for _, args := range all {
		if took := least(most, "luzhanqi", args...); took > most {
			t.Errorf("luzhanqi %v computes for %v or more, and %v are allowed; GODEBUG=inittrace=1 shows what begins before main", args, took, most)
		}
	}
}
