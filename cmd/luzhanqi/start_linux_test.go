package main

import (
	"maps"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
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
// what is allowed is so many times what it takes. Page faults are the same everywhere.
func TestStart(t *testing.T) {
	const (
		starts = 40
		slow   = 3 * time.Millisecond
		times  = 17
	)
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector computes, too")
	}
	small, err := protocoltest.Program(t.TempDir(), "luzhanqi/protocol-tests/nonamespaces")
	if err != nil {
		t.Fatal(err)
	}
	// least is the least of many starts, of each for itself; no more are tried when both are enough.
	type cost struct {
		time   time.Duration
		faults int64
	}
	least := func(enough cost, program string, args ...string) cost {
		least := cost{time.Hour, 1 << 40}
		for range starts {
			command := exec.Command(program, args...)
			if err := command.Run(); err != nil && program != small { // who says what is wrong with its command line
				t.Fatalf("%s %v: %v", program, args, err)
			}
			p := command.ProcessState
			least.time = min(least.time, p.UserTime()+p.SystemTime())
			least.faults = min(least.faults, p.SysUsage().(*syscall.Rusage).Minflt)
			if least.time <= enough.time && least.faults <= enough.faults {
				break
			}
		}
		return least
	}
	most := cost{25 * time.Millisecond, 1_600}
	if took := least(cost{}, small).time; took > slow {
		most.time = times * took
		t.Logf("a small program computes for %v: %v are allowed", took, most.time)
	}
	all := [][]string{{"games"}, {"--version"}, {"--help"}}
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		all = append(all, append(strings.Fields(name), "--help"))
	}
	for _, args := range all {
		most := most
		if strings.HasPrefix(args[0], "--") || args[0] == "manual" { // what lists all commands
			most.faults = 2_500
		}
		took := least(most, "luzhanqi", args...)
		if took.time > most.time || took.faults > most.faults {
			t.Errorf("luzhanqi %v takes %+v or more, and %+v are allowed; GODEBUG=inittrace=1 shows what begins before main", args, took, most)
		}
	}
}
