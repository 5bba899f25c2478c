package isolation

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
)

// compiledBot is a player that needs little of the library, so that it is compiled in seconds where nothing is cached.
const compiledBot = `package main

import "syscall"

func main() {
	syscall.Write(1, []byte("(resign)\n"))
	syscall.Read(0, make([]byte, 1000))
}
`

// TestGoRun: a program plays that its own command compiles, with HOME and caches that are private to it. Whoever runs the tests has a cache
// that makes it quick; the other user has none, so its turn is at night.
func TestGoRun(t *testing.T) {
	processtest.Need(t, "go")
	for _, uid := range users() {
		t.Run(fmt.Sprint("user ", uid), func(t *testing.T) {
			t.Parallel()
			p := newPlayground(t, uid)
			env := os.Environ()
			if uid != os.Getuid() {
				if !protocoltest.Nightly() {
					t.Skip("LUZHANQI_NIGHTLY is not set: to compile the library takes ten seconds of processor time")
				}
				// Not the directories of root's Go.
				env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp"), "GOTOOLCHAIN=local", "CGO_ENABLED=0"}
			}
			for file, text := range map[string]string{"go.mod": "module bot\n\ngo 1.26\n", "bot/main.go": compiledBot} {
				path := p.path("cwd", file)
				os.MkdirAll(p.path("cwd", "bot"), 0o755)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			before := p.image(t)
			f := order{
				Args: []string{command, "match", "go run ./bot", "builtin:random", "--seed=1", "--setup-time=5m", "--grace=2s"},
				Dir:  p.path("cwd"), UID: uid, Mark: p.Mark, Limit: 6 * time.Minute, StopAfter: time.Second, Env: env,
			}.run(t)
			if f.Code != 0 || f.Overdue || !strings.Contains(f.Stdout, "endings: resigned 1; ") {
				t.Errorf("exit code %d after %v, want a resignation: %s%s", f.Code, f.Took, f.Stdout, f.Stderr)
			}
			if changes := changed(before, p.image(t), slices.Clone); changes != nil {
				t.Errorf("files changed:\n%s", strings.Join(changes, "\n"))
			}
			if left := append(p.leftovers(), f.Left...); left != nil {
				t.Errorf("left:\n%s", strings.Join(left, "\n"))
			}
		})
	}
}
