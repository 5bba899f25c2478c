package tournament

import (
	"database/sql"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

func short(t testing.TB) *Tournament {
	return levels(t, schedule.Spec{Format: schedule.Match, Games: 4, Seed: 1}, "jungle", "greedy", "random")
}

// played is the store of a short tournament.
func played(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "store")
	if _, err := Run(t.Context(), short(t), options(t, dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// alter changes a store behind our back.
func alter(t *testing.T, dir, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "results.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func refused(t *testing.T, dir string, words ...string) {
	t.Helper()
	_, running := Run(t.Context(), short(t), options(t, dir))
	s, reading := store.Open(t.Context(), dir)
	if reading == nil {
		_, reading = short(t).Standings(t.Context(), s)
		s.Close()
	}
	for what, err := range map[string]error{"run": running, "read": reading} {
		if err == nil {
			t.Errorf("%s: no error", what)
			continue
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q is not in: %v", what, word, err)
			}
		}
	}
}

func TestStoreOfALaterVersion(t *testing.T) {
	dir := played(t)
	alter(t, dir, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
	refused(t, dir, "later version", "99")
}

func TestStoreOfAnotherProgram(t *testing.T) {
	dir := played(t)
	alter(t, dir, "PRAGMA application_id = 5")
	refused(t, dir, "another program")
}

func TestDamagedStore(t *testing.T) {
	dir := played(t)
	file := filepath.Join(dir, "results.sqlite")
	if err := os.WriteFile(file, []byte(strings.Repeat("this is no database ", 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	refused(t, dir, "damaged or no database", "reset")
	if err := Reset(t.Context(), options(t, dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after a reset: %v", err)
	}
	if _, err := Run(t.Context(), short(t), options(t, dir)); err != nil {
		t.Errorf("after a reset: %v", err)
	}
}

func TestNothingPlayedYet(t *testing.T) {
	if _, err := store.Open(t.Context(), t.TempDir()); !errors.Is(err, store.ErrNone) {
		t.Error(err)
	}
}

func TestAddressInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	o := options(t, filepath.Join(t.TempDir(), "store"))
	o.Listen = l.Addr().String()
	if _, err := Run(t.Context(), short(t), o); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Error(err)
	}
}

func TestDirectoryThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), short(t), options(t, filepath.Join(file, "store"))); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Error(err)
	}
}

// A plan that holds a token is warned about while others can read it, and a token that can be guessed; neither is told.
func TestWarningsOfTokens(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes do not tell who may read a file there")
	}
	file := filepath.Join(t.TempDir(), "plan.toml")
	for name, c := range map[string]struct {
		mode  os.FileMode
		token string
		want  []string
	}{
		"as it should be": {0o600, "a long and good secret", nil},
		"others read":     {0o644, "a long and good secret", []string{"chmod 600 " + file}},
		"two names":       {0o600, "a long and good secret", []string{"hard link"}},
		"short":           {0o600, "hunter2", []string{"7 characters"}},
		"both":            {0o604, "hunter2", []string{"mode 0604", "7 characters"}},
	} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, c.mode); err != nil {
			t.Fatal(err)
		}
		if other := file + "-elsewhere"; name == "two names" {
			if err := os.Link(file, other); err != nil {
				t.Fatal(err)
			}
		}
		var said []string
		o := Options{Dir: t.TempDir(), PlanFile: file, Warn: func(text string) { said = append(said, text) }}
		o.Listen, o.Token = "127.0.0.1:0", c.token
		if err := o.admit(); err != nil {
			t.Fatal(err)
		}
		all := strings.Join(said, "\n")
		if len(said) != len(c.want) || strings.Contains(all, c.token) {
			t.Errorf("%s: found %q", name, said)
		}
		for _, want := range c.want {
			if !strings.Contains(all, want) {
				t.Errorf("%s: %q is not in %q", name, want, said)
			}
		}
		os.Remove(file + "-elsewhere")
	}
}

// What is to be hidden from programs: the plan, the results, the token, wherever the run is started.
func TestSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: "store", PlanFile: "plan.toml"}
	o.TokenFile = filepath.Join(here, "token")
	want := []string{filepath.Join(here, "store"), filepath.Join(here, "plan.toml"), filepath.Join(here, "token")}
	if got := o.Secrets(); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// Results that anybody can change are warned about.
func TestOpenDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes do not tell who may write there")
	}
	dir := t.TempDir()
	for mode, want := range map[os.FileMode]int{0o755: 0, 0o777: 1, 0o777 | os.ModeSticky: 1, 0o775 | os.ModeSetgid: 0} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		o, warnings := options(t, dir), 0
		o.Warn = func(text string) { warnings += strings.Count(text, "chmod o-w "+dir) }
		if _, err := Run(t.Context(), short(t), o); err != nil || warnings != want {
			t.Errorf("%v: %d warnings, %v", mode, warnings, err)
		}
	}
}
