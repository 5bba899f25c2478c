//go:build unix

package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"luzhanqi/process/processtest"
)

// TestMain lets this program make folders until it is killed, and sweep one.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "make":
		fmt.Println("begins")
		for {
			_, remove, err := New(os.Args[0], "sweep")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			remove()
		}
	case len(os.Args) == 3 && os.Args[1] == "sweep":
		if err := Sweep(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// TestKilledWhileMaking guards that there is no moment at which a killed check leaves its folder.
func TestKilledWhileMaking(t *testing.T) { processtest.LeavesNothing(t, 40, os.Args[0], "make") }

// TestFolderOfKilledCheck guards that a check removes what one that was killed has left, and nothing of one that runs, of
// others, or behind a link.
func TestFolderOfKilledCheck(t *testing.T) {
	temporary, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	running, remove, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	killed, young, link := filepath.Join(temporary, pattern+"killed"), filepath.Join(temporary, pattern+"young"), filepath.Join(temporary, pattern+"link")
	for _, dir := range []string{killed, young} {
		if err := os.MkdirAll(filepath.Join(dir, "probe"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, dir := range []string{killed, running, elsewhere} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	_, removeSecond, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer removeSecond()
	for path, want := range map[string]bool{killed: false, running: true, young: true, link: true, elsewhere: true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", path, err, want)
		}
	}
}

// TestUnfinished guards that what a killed process has left is removed by the next that makes such a folder there, and nothing else.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	killed, young, other, file := filepath.Join(dir, ".new-1"), filepath.Join(dir, ".new-2"), filepath.Join(dir, "new-3"), filepath.Join(dir, ".new-4")
	for _, path := range []string{killed, young, other} {
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	running, unlock, err := Unfinished(dir, ".new-")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	old := time.Now().Add(-time.Hour)
	for _, path := range []string{killed, running, other, file} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	_, unlockSecond, err := Unfinished(dir, ".new-")
	if err != nil {
		t.Fatal(err)
	}
	defer unlockSecond()
	for path, want := range map[string]bool{killed: false, running: true, young: true, other: true, file: true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", path, err, want)
		}
	}
}
