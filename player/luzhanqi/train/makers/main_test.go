package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi/likelihood"
)

// Makers learned from a few set-ups are some that the belief reads, know whose flags are guarded, and name the command
// that made them; the one to skip is not among them.
func TestLearn(t *testing.T) {
	c := &command{Out: filepath.Join(t.TempDir(), "makers.txt"), Draws: 60, Seed: 1, Skip: "rows"}
	var out strings.Builder
	if err := c.run(&out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.Out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "go run ./player/luzhanqi/train/makers --out") {
		t.Errorf("%.300s", text)
	}
	m, err := likelihood.ReadMakers(string(text))
	if err != nil || strings.Join(m.Names, " ") != "guard anybody book simple near far" {
		t.Errorf("%v, %v", m.Names, err)
	}
	if !strings.Contains(out.String(), "book     guarded  0.2200\n") {
		t.Errorf("%s", out.String())
	}
}
