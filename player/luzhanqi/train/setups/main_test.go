package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A book of a few set-ups is evolved, and is one that the players read; it names the command that made it.
func TestEvolve(t *testing.T) {
	c := &command{Out: filepath.Join(t.TempDir(), "setups.txt"), For: time.Millisecond, Size: 4, Mines: 3, Seed: 1}
	var out strings.Builder
	if err := c.run(&out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.Out)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(string(text), "\n"); len(lines) != 2+4+1 || !strings.Contains(lines[1], "go run ./player/luzhanqi/train/setups --out") {
		t.Errorf("%s", text)
	}
	if !strings.Contains(out.String(), "generations 0.") {
		t.Errorf("%s", out.String())
	}
}
