package isolation

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// strangersPlan needs no program, so its games are the same every time.
const strangersPlan = `
name = "strange"
game = "jungle"
format = "match"
games = 4
seed = 3
[[player]]
name = "random"
level = "random"
[[player]]
name = "greedy"
level = "greedy"
`

// a strangeStore is one that somebody else has written to, and what the command does with it.
type strangeStore struct {
	statement string                              // executed in its database
	lay       func(store, elsewhere string) error // done in its folder
	args      []string                            // of tournament
	code      int
	says      string // on standard error
}

var strangeStores = map[string]strangeStore{
	"T3 garbage for the queue": {
		`DELETE FROM record WHERE id = 'r01-p002-g2'; DELETE FROM game WHERE id = 'r01-p002-g2'`,
		func(store, _ string) error {
			for _, file := range []string{"meta.inf", "meta.sum", "msgs/1.blk", "obs/all/o.dat", "../x"} {
				path := filepath.Join(store, "queue/jetstream/$G/streams/LUZHANQI_strange_JOBS", file)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("this is no queue\n"), 0o644)); err != nil {
					return err
				}
			}
			return nil
		},
		[]string{"run"},
		0, "",
	},
	"T3 half a file for the queue": {
		`DELETE FROM record WHERE id = 'r01-p002-g2'; DELETE FROM game WHERE id = 'r01-p002-g2'`,
		func(store, _ string) error {
			if err := os.RemoveAll(filepath.Join(store, "queue")); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(store, "queue"), []byte("half"), 0o666)
		},
		[]string{"run"},
		0, "",
	},
	"T4 rows without an ending": {`UPDATE game SET detail = json_remove(detail, '$.ending')`, nil, []string{"report", "--games", "games.csv"}, 1, "ending"},
	"T4 rows of nobody":         {`UPDATE game SET first = 7`, nil, []string{"show"}, 1, "players"},
	"T5 ids that lead out": {
		`UPDATE game SET id = '../../' || id, detail = json_set(detail, '$.id', '../../' || id)`, nil, []string{"report", "--records", "a/b/c"}, 1, "../",
	},
	"T6 a lock that is a pipe": {"", func(store, _ string) error { return again(filepath.Join(store, "lock"), mkfifo) }, []string{"run"}, 1, "lock"},
	"T6 a lock that is a link": {
		"", func(store, elsewhere string) error {
			return again(filepath.Join(store, "lock"), func(path string) error { return os.Symlink(elsewhere, path) })
		}, []string{"run"}, 2, "lock",
	},
	"T6 a process number that is a link": {
		"", func(store, elsewhere string) error {
			return again(filepath.Join(store, "pid"), func(path string) error { return os.Symlink(elsewhere, path) })
		}, []string{"run"}, 1, "pid",
	},
	"T6 a process number that is a pipe": {"", func(store, _ string) error { return again(filepath.Join(store, "pid"), mkfifo) }, []string{"stop"}, 2, "does not run"},
}

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o666) }

// again makes a file anew.
func again(path string, make func(string) error) error {
	os.Remove(path)
	return make(path)
}

// TestStoreOfAStranger: what somebody else has written into the store of a tournament is refused in words, leads nowhere, and
// holds nobody up; what he has spoilt of the queue is played from the store, with the same results.
func TestStoreOfAStranger(t *testing.T) {
	for _, uid := range users() {
		p := newPlayground(t, uid)
		if err := os.WriteFile(p.path("cwd", "plan.toml"), []byte(strangersPlan), 0o644); err != nil {
			t.Fatal(err)
		}
		tournament := func(t *testing.T, store string, args ...string) finding {
			t.Helper()
			f := order{
				Args: slices.Concat([]string{command, "tournament", args[0], "plan.toml", "--store", store}, args[1:]),
				Dir:  p.path("cwd"), UID: uid, Mark: p.Mark, Limit: time.Minute, StopAfter: time.Second,
				Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
			}.run(t)
			if f.Overdue || f.Signal != 0 || strings.Contains(f.Stderr, "goroutine ") {
				t.Errorf("%q was killed after a minute: %v; signal %d: %s", args, f.Overdue, f.Signal, f.Stderr)
			}
			return f
		}
		if f := tournament(t, "whole", "run"); f.Code != 0 {
			t.Fatalf("the tournament ends with %d: %s", f.Code, f.Stderr)
		}
		want := results(tournament(t, "whole", "report", "--games", "-").Stdout)
		for name, s := range strangeStores {
			t.Run(fmt.Sprintf("user %d/%s", uid, name), func(t *testing.T) {
				folder := p.path("cwd", strings.ReplaceAll(name, " ", "-"))
				store, elsewhere := filepath.Join(folder, "store"), filepath.Join(folder, "elsewhere")
				check := func(err error) {
					t.Helper()
					if err != nil {
						t.Fatal(err)
					}
				}
				check(os.Mkdir(folder, 0o755))
				check(os.CopyFS(store, os.DirFS(p.path("cwd", "whole"))))
				check(os.WriteFile(elsewhere, []byte("precious"), 0o644))
				if s.statement != "" {
					db, err := sql.Open("sqlite", filepath.Join(store, "results.sqlite"))
					check(err)
					_, err = db.ExecContext(t.Context(), s.statement)
					check(err)
					check(db.Close())
				}
				if s.lay != nil {
					check(s.lay(store, elsewhere))
				}
				if os.Getuid() == 0 {
					for _, path := range below(t, folder) {
						check(os.Lchown(path, uid, uid))
					}
				}
				before := len(below(t, folder))
				f := tournament(t, store, s.args...)
				if f.Code != s.code || !strings.Contains(f.Stderr, s.says) {
					t.Errorf("exit code %d, want %d; it says %q, want %q", f.Code, s.code, f.Stderr, s.says)
				}
				if text, err := os.ReadFile(elsewhere); string(text) != "precious" {
					t.Errorf("what lies elsewhere is %q, %v", text, err)
				}
				if s.code != 0 {
					if after := below(t, folder); len(after) != before {
						t.Errorf("there were %d files, and are %q", before, after)
					}
				} else if got := results(tournament(t, store, "report", "--games", "-").Stdout); got != want {
					t.Errorf("games before\n%s\nand after\n%s", want, got)
				}
			})
		}
	}
}

// results are the columns of a list of games that do not depend on when and where they are played.
func results(csv string) string {
	var all strings.Builder
	for line := range strings.Lines(csv) {
		all.WriteString(strings.Join(strings.Split(line, ",")[:9], ",") + "\n")
	}
	return all.String()
}

// below are a folder and all that is in it.
func below(t *testing.T, folder string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
