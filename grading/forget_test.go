package grading

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/grading/keeping"
)

// TestKept: a backup that is restored elsewhere is graded to the same marks without a game being played; a submission that is
// forgotten leaves its name nowhere, and the marks of others as they were; what is pruned takes no marks along.
func TestKept(t *testing.T) {
	t.Parallel()
	file := describeGames(t, "[class]\nformat = \"round-robin\"\n[[item]]\nkind = \"class\"\npoints = 6\n", "honest", "first", "gertrude=honest")
	load := func(file string) *course.Course {
		t.Helper()
		c, err := course.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	out := load(file).Results()
	grade(t, file, out, nil)
	before := markFiles(t, out)

	saved := filepath.Join(t.TempDir(), "saved.tar.gz")
	s, err := keeping.Backup(t.Context(), load(file), out, saved)
	if err != nil || s.Files < 20 || len(s.Outside) > 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := keeping.Backup(t.Context(), load(file), out, saved); err == nil {
		t.Error("a backup is overwritten")
	}
	again := filepath.Join(t.TempDir(), "again")
	back, err := keeping.Restore(t.Context(), saved, again)
	if err != nil || back.Files != s.Files || back.Bytes != s.Bytes {
		t.Fatalf("%+v, %v; saved were %+v", back, err, s)
	}
	var done []string
	moved := filepath.Join(again, filepath.Base(file))
	grade(t, moved, load(moved).Results(), func(e Event) {
		if e.Event == "stage" || e.Event == "class" {
			done = append(done, e.Stage)
		}
	})
	if all := strings.Join(done, " "); strings.Contains(all, "level") || strings.Contains(all, "class") || markFiles(t, load(moved).Results()) != before {
		t.Errorf("restored, %q was done, and the marks are\n%s\nbefore\n%s", done, markFiles(t, load(moved).Results()), before)
	}
	if _, err := keeping.Restore(t.Context(), saved, again); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("restored into a folder with files: %v", err)
	}

	names := []string{"gertrude"}
	dry, err := Forget(t.Context(), load(file), Options{Out: out}, names, true)
	if err != nil || len(dry.Removed) != 4 || markFiles(t, out) != before {
		t.Fatalf("%+v, %v", dry, err)
	}
	if _, err := Forget(t.Context(), load(file), Options{Out: out}, names, false); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(filepath.Dir(file), func(path string, d fs.DirEntry, err error) error {
		if strings.Contains(path, "gertrude") || err != nil {
			t.Errorf("%s is still there, %v", path, err)
		}
		if !d.IsDir() {
			if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("gertrude")) {
				t.Errorf("%s has the name", path)
			}
		}
		return nil
	})
	for _, name := range []string{"honest", "first"} {
		was := before[strings.Index(before, "== "+name):]
		if now := read(t, filepath.Join(out, name, "marks.json")); !strings.Contains(was, now) {
			t.Errorf("the marks of %s are now\n%s", name, now)
		}
	}
	if csv := read(t, filepath.Join(out, "class/grades.csv")); strings.Count(csv, "\n") != 3 {
		t.Errorf("grades.csv is\n%s", csv)
	}
	if _, err := Forget(t.Context(), load(file), Options{Out: out}, names, false); err == nil || !strings.Contains(err.Error(), `neither a submission "gertrude" nor`) {
		t.Errorf("forgotten twice: %v", err)
	}

	kept := markFiles(t, out)
	if removed, err := keeping.Prune(out, time.Now().Add(-time.Hour), false); err != nil || len(removed) > 0 {
		t.Errorf("pruned were %v, %v", removed, err)
	}
	removed, err := keeping.Prune(out, time.Now().Add(time.Hour), true)
	if err != nil || len(removed) < 7 {
		t.Errorf("to be pruned are %v, %v", removed, err)
	}
	if _, err := keeping.Prune(out, time.Now().Add(time.Hour), false); err != nil || markFiles(t, out) != kept {
		t.Errorf("pruned, %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, "honest", "records")); err == nil {
		t.Error("records are still there")
	}
}

// TestDamagedBackup: what is cut off or changed is refused, and leaves nothing.
func TestDamagedBackup(t *testing.T) {
	t.Parallel()
	file := describeGames(t, "", "honest")
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(t.TempDir(), "saved.tar.gz")
	if _, err := keeping.Backup(context.Background(), c, c.Results(), saved); err != nil { // of a course that was not graded
		t.Fatal(err)
	}
	whole := read(t, saved)
	for name, text := range map[string]string{"cut": whole[:len(whole)-30], "changed": whole[:100] + "x" + whole[101:], "empty": "", "text": "no backup"} {
		spoilt, dir := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), "dir")
		write(t, spoilt, text)
		if _, err := keeping.Restore(context.Background(), spoilt, dir); err == nil {
			t.Errorf("%s: restored", name)
		}
		if entries, _ := os.ReadDir(filepath.Dir(dir)); len(entries) > 0 {
			t.Errorf("%s: it leaves %v", name, entries)
		}
	}
}
