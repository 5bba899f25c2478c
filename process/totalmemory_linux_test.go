package process

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

// needGroups skips a test where no part of cgroup v2 is delegated to this process, which a machine rarely does by itself:
//
//	systemd-run --user --scope -p Delegate=yes go test -exec … ./process
func needGroups(t testing.TB) {
	t.Helper()
	if _, err := memoryTree(); err != nil {
		t.Skip("no cgroup v2 is delegated to this process: ", err)
	}
}

// addUp lets the supervisor add up the memory of programs, for a test.
func addUp(t testing.TB) {
	t.Helper()
	why := errors.New("so wants a test")
	before := ungrouped.Swap(&why)
	t.Cleanup(func() { ungrouped.Store(before) })
}

// waysOfTotal runs a test for each way in which the memory of all processes of a program is limited.
func waysOfTotal(t *testing.T, test func(t *testing.T)) {
	t.Run("added up", func(t *testing.T) {
		addUp(t)
		test(t)
	})
	t.Run("by the kernel", func(t *testing.T) {
		needGroups(t)
		test(t)
		if why := ungrouped.Load(); why != nil {
			t.Error(*why)
		}
	})
}

// profiles are those that this machine has.
func profiles() []sandbox.Profile {
	if Isolation().Sealed() != nil {
		return slices.DeleteFunc(slices.Clone(sandbox.Profiles), func(p sandbox.Profile) bool { return p == sandbox.Sealed })
	}
	return sandbox.Profiles
}

// TestTotalMemory: what all processes use together is limited, and what they share counts once. It ends in the same words,
// whoever counts.
func TestTotalMemory(t *testing.T) {
	processtest.Need(t, "python3")
	const fork = "import os,time\nx=bytearray(40<<20)\nfor i in range(%d):\n  if os.fork()==0:\n    %s\n    time.sleep(0.6)\n    os._exit(0)\nfor i in range(%[1]d): os.wait()\n"
	waysOfTotal(t, func(t *testing.T) {
		for _, c := range []struct {
			name, script string
			exceeded     Limit
		}{
			{"shared", fmt.Sprintf(fork, 5, "pass"), NoLimit},
			{"own", fmt.Sprintf(fork, 5, "y=bytearray(40<<20)"), LimitTotal},
			{"one", "x=bytearray(200<<20)\nimport time\ntime.sleep(5)", LimitTotal},
			{"files", "open('/dev/shm/x','wb').write(bytes(100<<20))\nx=bytearray(80<<20)\nimport time\ntime.sleep(5)", LimitTotal},
		} {
			for _, profile := range profiles() {
				if c.name == "files" && profile == sandbox.Off {
					continue // they would stay there
				}
				t.Run(c.name+" "+string(profile), func(t *testing.T) {
					r := Run(t.Context(), Command{
						Args: []string{"python3", "-c", c.script}, Dir: t.TempDir(), Confine: Confinement{Total: 150 << 20},
						Sandbox: sandbox.Policy{Profile: profile},
					}, RunLimits{Time: 20 * time.Second})
					if r.Err != nil || r.Exit.Exceeded != c.exceeded || c.exceeded == NoLimit && !r.OK() {
						t.Errorf("%v, %v\n%v", r.Exit, r.Err, r.Stderr)
					}
					if c.exceeded != NoLimit && !strings.Contains(r.Exit.String(), "was killed for using more than 150 MiB of memory in all, its limit") {
						t.Errorf("in words: %v", r.Exit)
					}
				})
			}
		}
	})
}
