package errlog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is kept is whole up to the bound, says where it was cut, and is never written over; a silent program makes no file.
func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	l, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Writer("silent", "silent").Close(); err != nil {
		t.Error(err)
	}
	for _, what := range []string{"first\n", "second"} {
		w := l.Writer("a", "game-1")
		w.Write([]byte(what))
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	big := l.Writer("big", "big")
	for range 3 {
		big.Write(bytes.Repeat([]byte("x"), Max/2))
	}
	big.Write([]byte("y"))
	if err := big.Close(); err != nil {
		t.Error(err)
	}
	found := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = string(text)
	}
	if len(found) != 3 || found["game-1.txt"] != "first\n" || found["game-1-2.txt"] != "second" {
		t.Errorf("%d files, %q and %q", len(found), found["game-1.txt"], found["game-1-2.txt"])
	}
	cut := found["big.txt"]
	if !strings.HasSuffix(cut, "x\n[… more than 16 MiB: the rest is left out]\n") || strings.Count(cut, "x") != Max {
		t.Errorf("%d bytes, ending in %q", len(cut), cut[max(0, len(cut)-60):])
	}
}

// All files together take no more than the space they are given: the first keep theirs, what is beyond says so or makes no file.
func TestBound(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "before.txt"), make([]byte, 1000), 0o666)
	l, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Bound(1000 + 2*PerFile + 5 + PerFile + 3); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "second", "third"} {
		w := l.Writer(name, name)
		w.Write([]byte("12345"))
		w.Write([]byte("6"))
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	l.Writer("fourth", "fourth").Write(nil)
	const left = "\n[… the space for standard error is used up: the rest is left out]\n"
	for name, want := range map[string]string{"first": "123456", "second": "12" + left} {
		if text, err := os.ReadFile(filepath.Join(dir, name+".txt")); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	again, _ := Open(dir, nil) // the next run
	if err := again.Bound(1000 + 3*PerFile); err != nil {
		t.Fatal(err)
	}
	w := again.Writer("fifth", "fifth")
	w.Write([]byte("x"))
	w.Close()
	if _, err := os.Stat(filepath.Join(dir, "fifth.txt")); !os.IsNotExist(err) {
		t.Error("a run that goes on has forgotten what is there")
	}
}

// What is shown is lines with their program before them, without codes for the terminal.
func TestShown(t *testing.T) {
	var out strings.Builder
	l, err := Open(Show, &out)
	if err != nil {
		t.Fatal(err)
	}
	w := l.Writer("bot", "game-1")
	for _, part := range []string{"one\ntw", "o\r\n\x1b[2J\nlast"} {
		w.Write([]byte(part))
	}
	w.Close()
	if want := "bot: one\nbot: two\nbot: �[2J\nbot: last\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
