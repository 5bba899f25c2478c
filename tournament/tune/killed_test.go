package tune

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/tournament"
)

// killedVariable names the folder of a plan for the role of the test binary that tunes, so that it can be killed.
const killedVariable = "LUZHANQI_TEST_TUNE"

// tuneIn is that role.
func tuneIn(dir string) error {
	u, o, err := Load(filepath.Join(dir, "plan.toml"), "test")
	if err != nil {
		return err
	}
	o.Dir, o.Warn, o.Concurrency = filepath.Join(dir, "store"), func(s string) { fmt.Fprintln(os.Stderr, s) }, 2
	_, err = tournament.Run(context.Background(), u.Tournament, o)
	return err
}

// A tuning that is killed in the middle, twice and without a warning, goes on as if it had not been.
func TestKilled(t *testing.T) {
	t.Parallel()
	whole, o := loadToy(t, 6, 2)
	if _, err := tournament.Run(t.Context(), whole.Tournament, o); err != nil {
		t.Fatal(err)
	}
	want := stateOf(t, whole, o.Dir)

	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plan.toml"), fmt.Appendf(nil, toyPlan, exe, 6, 2), 0o666); err != nil {
		t.Fatal(err)
	}
	again, _, err := Load(filepath.Join(dir, "plan.toml"), "test")
	if err != nil {
		t.Fatal(err)
	}
	finished := func() (n int) {
		s, err := again.Open(t.Context(), filepath.Join(dir, "store"))
		if err != nil {
			return 0 // it was not made yet
		}
		defer s.Close()
		n, _, _ = s.Count(t.Context())
		return n
	}
	for _, killAt := range []int{3, 9, 1 << 30} {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), killedVariable+"="+dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		for over := false; !over; {
			select {
			case err := <-ended:
				if over = true; killAt == 1<<30 && err != nil {
					t.Fatal(err)
				}
			case <-ticker.C:
				if n := finished(); n >= killAt {
					cmd.Process.Kill()
				}
			}
		}
		if n := finished(); killAt < 1<<30 && n == 0 {
			t.Error("nothing was stored before it was killed")
		}
	}
	if diff := cmp.Diff(want, stateOf(t, again, filepath.Join(dir, "store")), cmp.AllowUnexported(Number{})); diff != "" {
		t.Error(diff)
	}
}
