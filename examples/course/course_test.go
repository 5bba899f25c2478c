package course

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/check"
	"luzhanqi/grading"
	"luzhanqi/grading/course"
	"luzhanqi/process"
	"luzhanqi/process/processtest"
)

func TestMain(m *testing.M) {
	process.Reexec(check.Probe)
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "write marks.csv anew")

// TestTheSameMarks grades the course, which gives the marks in marks.csv, byte for byte; so does a second run over the
// same folder.
func TestTheSameMarks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute")
	}
	if runtime.GOOS == "windows" {
		t.Skip("go build -o bot leaves no program that ./bot starts")
	}
	processtest.Need(t, "python3", "go")
	out := t.TempDir()
	begin := time.Now()
	if err := grade(t, out); err != nil {
		t.Fatal(err)
	}
	t.Logf("graded in %v", time.Since(begin))
	first := files(t, out)
	if err := grade(t, out); err != nil {
		t.Fatal(err)
	}
	again := files(t, out)
	for name, text := range first {
		if !bytes.Equal(text, again[name]) {
			t.Errorf("%s in the same folder again:\n%s\nwant\n%s", name, again[name], text)
		}
	}
	if *update {
		if err := os.WriteFile("marks.csv", first["class/grades.csv"], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("marks.csv")
	if err != nil {
		t.Fatal(err)
	}
	if got := first["class/grades.csv"]; !bytes.Equal(got, want) {
		t.Errorf("grades.csv is\n%s\nwant marks.csv\n%s", got, want)
	}
}

func grade(t *testing.T, out string) error {
	c, err := course.Load("course.toml")
	if err != nil {
		return err
	}
	o, err := grading.Run(t.Context(), c, grading.Options{Out: out, Concurrency: 2})
	if err == nil && len(o.Failures) > 0 {
		err = o.Failures[0].Err
	}
	return err
}

// files are those that hold nothing but marks.
func files(t *testing.T, out string) map[string][]byte {
	all := map[string][]byte{}
	found, err := filepath.Glob(filepath.Join(out, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		name, err := filepath.Rel(out, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if !strings.HasSuffix(name, "/marks.json") && !slices.Contains([]string{"class/grades.csv", "class/results.json"}, name) {
			continue
		}
		if all[name], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) != 7 {
		t.Fatalf("%d files with marks, want 7", len(all))
	}
	return all
}
