// Package course holds an example course. Its test grades it.
package course

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
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
)

func TestMain(m *testing.M) {
	process.Reexec(check.Probe)
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "write marks.csv anew")

// TestTheSameMarks grades the course in two folders at the same time. Both give the marks in marks.csv, byte for
// byte, and so does a second run over the first folder.
func TestTheSameMarks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute")
	}
	if runtime.GOOS == "windows" {
		t.Skip("go build -o bot leaves no program that ./bot starts")
	}
	for _, program := range []string{"python3", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	begin := time.Now()
	outs := []string{t.TempDir(), t.TempDir()}
	errs := make(chan error, len(outs))
	for _, out := range outs {
		go func() { errs <- grade(t, out) }()
	}
	for range outs {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("graded twice at a time in %v", time.Since(begin))
	first := files(t, outs[0])
	if err := grade(t, outs[0]); err != nil {
		t.Fatal(err)
	}
	for what, other := range map[string]map[string][]byte{"another folder": files(t, outs[1]), "the same folder again": files(t, outs[0])} {
		for name, text := range first {
			if !bytes.Equal(text, other[name]) {
				t.Errorf("%s in %s:\n%s\nwant\n%s", name, what, other[name], text)
			}
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
