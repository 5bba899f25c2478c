package protocoltests

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"luzhanqi/process"
)

// The programs under test, built once.
var (
	hostile  string
	consoles string
	command  string // luzhanqi
)

// atOnce is how many cases are played at a time: most of them wait for a limit to pass.
const atOnce = 6

func TestMain(m *testing.M) {
	process.Reexec()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		flag.Set("test.parallel", strconv.Itoa(atOnce))
	}
	dir, err := os.MkdirTemp("", "protocol-tests-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for program, source := range map[*string]string{
		&hostile: "luzhanqi/protocol-tests/hostile", &consoles: "luzhanqi/protocol-tests/consoles", &command: "luzhanqi/cmd/luzhanqi",
	} {
		*program = filepath.Join(dir, filepath.Base(source)+exeSuffix)
		if out, err := exec.Command("go", "build", "-o", *program, source).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", source, err, out)
			return 1
		}
	}
	// With -race, every supervisor is this binary with the race detector, which sleeps a second
	// before it exits.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	// As the command does. From here on, a program that kills its supervisor makes the referee kill
	// every child that it does not know; so nothing else may start children beside such a game.
	process.AdoptOrphans()
	return m.Run()
}

// nightly selects the whole of what is otherwise played in part: see the comment of the package.
func nightly() bool { return os.Getenv("LUZHANQI_NIGHTLY") != "" }

// repeats is how often each case is played.
func repeats() int {
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
