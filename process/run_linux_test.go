package process

import (
	"path/filepath"
	"testing"
	"time"
)

// TestRunLeavesNothing: a build that starts a server is over when it exits, although the server
// holds its output.
func TestRunLeavesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	t.Setenv("PIDS", file)
	begun := time.Now()
	r := run(t, breeder+"sleep 0.3; echo done", RunLimits{Time: 60 * time.Second})
	if !r.OK() || r.Stdout.String() != "done\n" || time.Since(begun) > 50*time.Second {
		t.Errorf("%+v", r)
	}
	mustBeDead(t, pids(t, file, 5), 0)
}
