package protocoltests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/game/games"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// promptly is how soon everything is dead after the referee.
const promptly = 2 * time.Second

// TestNothingSurvivesTheReferee ends the command in the middle of a game, in every way it can be
// ended, and looks for what its programs have started. Not parallel: see TestMain.
func TestNothingSurvivesTheReferee(t *testing.T) {
	modes := []string{"orphan-tree", "respawn", "orphan", "ignore-term", "flood-stderr-plays 40", "deaf move1"}
	for _, mode := range modes {
		for _, s := range []struct {
			signals []syscall.Signal
			code    int // 128 and more: the summary is printed
		}{
			{[]syscall.Signal{syscall.SIGKILL}, -1},
			{[]syscall.Signal{syscall.SIGTERM}, 143},
			{[]syscall.Signal{syscall.SIGINT}, 130},
			{[]syscall.Signal{syscall.SIGINT, syscall.SIGTERM}, 0}, // the second ends it at once, if it is still there
		} {
			if !protocoltest.Nightly() && mode != modes[0] && s.code != -1 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", strings.ReplaceAll(mode, " ", "_"), s.signals), func(t *testing.T) {
				for range protocoltest.Repeats() {
					endReferee(t, mode, s.signals, s.code)
				}
			})
		}
	}
}

func endReferee(t *testing.T, mode string, signals []syscall.Signal, code int) {
	t.Helper()
	dir := t.TempDir()
	pids, records := filepath.Join(dir, "pids"), filepath.Join(dir, "records")
	c := exec.Command(command, "match", hostile+" "+mode, hostile+" late 20", "--record="+records, "--seed=1", "--time=60s", "--sandbox=off")
	c.Env = append(os.Environ(), withPIDs(pids)...)
	var out, complaint strings.Builder
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	wanted := 2
	if mode == "orphan-tree" {
		wanted += 20
	}
	begun := eventually(time.Minute, func() bool {
		return len(listed(pids)) >= wanted && strings.Contains(contents(records), `"event":"setup","`) &&
			(strings.HasPrefix(mode, "deaf") || strings.Contains(contents(records), `"event":"move"`))
	})
	for _, s := range signals {
		c.Process.Signal(s)
	}
	err := c.Wait()
	died := time.Now()
	if !begun {
		t.Fatalf("the game did not begin: %v\n%s%s", err, out.String(), complaint.String())
	}
	if code > 0 {
		if found := c.ProcessState.ExitCode(); found != code {
			t.Errorf("exit code %d, want %d", found, code)
		}
		if !strings.Contains(out.String(), "0 games in ") || !strings.Contains(out.String(), "endings: void 1; seed 1") {
			t.Errorf("no summary: %s", out.String())
		}
		if alive := survivors(pids); alive != nil { // the referee itself has waited for them
			t.Errorf("outlive a referee that ended by itself: %q", alive)
		}
	}
	if !eventually(promptly, func() bool { return survivors(pids) == nil }) {
		t.Errorf("outlive the referee by %v: %q", time.Since(died), survivors(pids))
	}
	readable(t, records, code == -1)
	if t.Failed() {
		t.Logf("standard output: %s\nstandard error: %s", out.String(), complaint.String())
	}
}

// readable judges the record of a game that was cut off, by the command as a user would.
func readable(t *testing.T, records string, torn bool) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(records, "*"))
	if len(files) != 1 {
		t.Fatalf("records %q, want one", files)
	}
	out, err := exec.Command(command, "replay", files[0]).CombinedOutput()
	if err != nil {
		t.Errorf("luzhanqi replay: %v\n%s", err, out)
	}
	file, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	replay, err := record.Read(file, games.Find)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case len(replay.Disagreements) > 0:
		t.Errorf("record and rules disagree: %q", replay.Disagreements)
	case torn && (!replay.Torn || !strings.Contains(string(out), "torn: ")):
		t.Errorf("the record is not torn: %s", out)
	case !replay.Torn && replay.Ending.Code != referee.Void:
		t.Errorf("recorded as %s, want void: the interruption is nobody's fault", replay.Ending.Code)
	}
}

// contents are those of all files in a directory.
func contents(dir string) string {
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		all.Write(text)
	}
	return all.String()
}
