package isolation

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
)

// The programs under test, built once.
var hostile, nonamespaces, command string // command: luzhanqi

func TestMain(m *testing.M) {
	process.Reexec(process.Role{Name: "warden", Run: warden})
	os.Exit(run(m))
}

func run(m *testing.M) int {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		flag.Set("test.parallel", "4") // most of them wait for processes
	}
	dir, err := os.MkdirTemp("", "isolation-tests-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // another user plays, too
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for program, source := range map[*string]string{
		&hostile: "luzhanqi/protocol-tests/hostile", &command: "luzhanqi/cmd/luzhanqi", &nonamespaces: "luzhanqi/protocol-tests/nonamespaces",
	} {
		*program = filepath.Join(dir, filepath.Base(source))
		if out, err := exec.Command("go", "build", "-o", *program, source).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", source, err, out)
			return 1
		}
	}
	return m.Run()
}

func nightly() bool { return os.Getenv("LUZHANQI_NIGHTLY") != "" }

// repeats is how often the referee is killed beside each hostile mode.
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

// eventually asks until the answer is yes, or the time is over.
func eventually(within time.Duration, yes func() bool) bool {
	for deadline := time.Now().Add(within); ; time.Sleep(2 * time.Millisecond) {
		if yes() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

func side(s *game.Side) string {
	if s == nil {
		return "nobody"
	}
	return s.String()
}
