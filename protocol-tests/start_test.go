package protocoltests

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee"
)

// unstartable are programs that never run. A wrong path must not become a result.
func unstartable(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return map[string]string{
		"missing":              filepath.Join(dir, "nowhere"),
		"missing-in-path":      "no-such-program-anywhere",
		"directory":            dir,
		"not-executable":       file("plain", "#!/bin/sh\n", 0o644),
		"no-interpreter":       file("foreign", "#!/no/such/interpreter\n", 0o755),
		"windows-line-ends":    file("crlf", "#!/bin/sh\r\nexit 0\r\n", 0o755),
		"no-format":            file("noise", "\x01\x02\x03 no program", 0o755),
		"empty":                file("empty", "", 0o755),
		"cut-off-after-header": file("elf", "\x7fELF\x02\x01\x01\x00", 0o755),
	}
}

// TestProgramsThatCannotStart: an error before the first game, no result, no record.
func TestProgramsThatCannotStart(t *testing.T) {
	for name, path := range unstartable(t) {
		for seat := range game.Side(2) {
			for _, concurrency := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s/player_%v/%d_at_a_time", name, seat, concurrency), func(t *testing.T) {
					dir := t.TempDir()
					s := trial{mode: "honest", seat: seat.Other(), want: byRule}.match(filepath.Join(dir, "records"), filepath.Join(dir, "pids"))
					s.Entrants[seat].Command = process.Command{Args: []string{path}}
					s.Games, s.Concurrency = 4, concurrency
					s.Ended = func(r referee.Result, _ referee.Score) {
						t.Errorf("game %d was reported: %s", r.Number, r.Ending.Reason)
					}
					score, err := s.Run(t.Context())
					if err == nil {
						t.Fatal("no error")
					}
					if s.Entrants[seat].Check() == nil && !errors.Is(err, referee.ErrStart) {
						t.Errorf("found %v, want %v", err, referee.ErrStart)
					}
					if !strings.Contains(err.Error(), path) {
						t.Errorf("%v: does not name %s", err, path)
					}
					if score.Games() != 0 || score.Voids != 0 || len(score.Endings) != 0 {
						t.Errorf("the score is %+v", score)
					}
					if left, _ := filepath.Glob(filepath.Join(dir, "records", "*")); len(left) > 0 {
						t.Errorf("records are left: %q", left)
					}
					for _, process := range survivors(filepath.Join(dir, "pids")) {
						t.Errorf("outlives the error: %s", process)
					}
				})
			}
		}
	}
}

// TestCommandThatCannotStart guards the same at the command line: exit code 2, the reason on
// standard error, nothing that looks like a result.
func TestCommandThatCannotStart(t *testing.T) {
	for name, path := range unstartable(t) {
		t.Run(name, func(t *testing.T) {
			records := filepath.Join(t.TempDir(), "records")
			c := exec.Command(command, "match", path, "builtin:random", "--games=3", "--concurrency=2", "--record="+records, "--sandbox=off")
			var out, complaint strings.Builder
			c.Stdout, c.Stderr = &out, &complaint
			err := c.Run()
			if code := c.ProcessState.ExitCode(); code != 2 {
				t.Errorf("%v, want exit code 2", err)
			}
			if !strings.Contains(complaint.String(), "luzhanqi: error: ") || !strings.Contains(complaint.String(), path) {
				t.Errorf("standard error is %q", complaint.String())
			}
			if strings.Contains(out.String(), "win") || strings.Contains(out.String(), "void") {
				t.Errorf("standard output shows a result: %s", out.String())
			}
			if left, _ := filepath.Glob(filepath.Join(records, "*")); len(left) > 0 {
				t.Errorf("records are left: %q", left)
			}
		})
	}
}

// TestProgramThatVanishes: what could be started once and cannot be started again makes games void,
// and the match stops; the games played count.
func TestProgramThatVanishes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "once")
	if err := os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\nrm %s\nexec %s honest\n", path, hostile), 0o755); err != nil {
		t.Fatal(err)
	}
	s := trial{mode: "honest", want: byRule}.match(filepath.Join(dir, "records"), filepath.Join(dir, "pids"))
	s.Entrants[1].Command = process.Command{Args: []string{path}, Env: withPIDs(filepath.Join(dir, "pids"))}
	s.Games = 5
	var results []referee.Result
	s.Ended = func(r referee.Result, _ referee.Score) { results = append(results, r) }
	score, err := s.Run(t.Context())
	if !errors.Is(err, referee.ErrVoid) {
		t.Errorf("found %v, want %v", err, referee.ErrVoid)
	}
	if score.Games() != 1 || score.Voids != 2 {
		t.Errorf("the score is %+v, want one game and two void ones", score)
	}
	for _, r := range results {
		replays(t, r)
	}
	if alive := survivors(filepath.Join(dir, "pids")); alive != nil {
		t.Errorf("left: %q", alive)
	}
}
