// Package protocoltest is what the tests below protocol-tests share: the programs that they build once, and how much of
// the tests is run.
package protocoltest

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// Main makes programs, whose paths it sets by the packages that they are of, runs the tests, so many at a time unless -parallel
// says otherwise, and returns the exit status. Every user may start the programs.
func Main(m *testing.M, atOnce int, programs map[string]*string) int {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		flag.Set("test.parallel", strconv.Itoa(atOnce))
	}
	dir, err := os.MkdirTemp("", "protocol-tests-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for source, program := range programs {
		if *program, err = Program(dir, source); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// Nightly selects the whole of what is otherwise played in part.
func Nightly() bool { return os.Getenv("LUZHANQI_NIGHTLY") != "" }

// Alone skips a test whose programs must get a good part of the processors, in the time that it takes, unless LUZHANQI_ALONE says
// that no other test runs.
func Alone(t testing.TB) {
	t.Helper()
	if os.Getenv("LUZHANQI_ALONE") == "" {
		t.Skip("LUZHANQI_ALONE is not set: it runs while nothing else does")
	}
}

// Repeats is how often each case is played.
func Repeats() int {
	text := os.Getenv("LUZHANQI_STRESS")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		panic(fmt.Sprintf("LUZHANQI_STRESS is %q: allowed are whole numbers from 1", text))
	}
	return n
}
