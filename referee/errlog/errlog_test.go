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
