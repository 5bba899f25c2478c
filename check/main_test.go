package check

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"luzhanqi/process"
	"luzhanqi/protocol-tests/protocoltest"
)

// The programs that are checked, built once.
var hostile, luzhanqiCommand string

func TestMain(m *testing.M) {
	process.Reexec(Probe)
	os.Exit(build(m))
}

func build(m *testing.M) int {
	flag.Parse()
	if worker := flag.Lookup("test.fuzzworker"); worker != nil && worker.Value.String() == "true" {
		return m.Run() // it starts no program
	}
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		flag.Set("test.parallel", "6") // most checks wait for a limit to pass
	}
	dir, err := os.MkdirTemp("", "check-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for program, source := range map[*string]string{&hostile: "luzhanqi/protocol-tests/hostile", &luzhanqiCommand: "luzhanqi/cmd/luzhanqi"} {
		if *program, err = protocoltest.Program(dir, source); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // supervisors and probes are this binary
	process.AdoptOrphans()
	return m.Run()
}
