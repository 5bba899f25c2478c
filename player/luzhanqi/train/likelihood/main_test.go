package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A table learned from a game of each pairing is one that the model reads (the command refuses to write
// another), knows more than the constraints, and names the command that made it.
func TestLearn(t *testing.T) {
	c := &command{Out: filepath.Join(t.TempDir(), "likelihood.txt"), Games: 1, Nodes: 60, Seed: 1}
	var out strings.Builder
	if err := c.run(&out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.Out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "go run ./player/luzhanqi/train/likelihood --out") {
		t.Errorf("%.300s", text)
	}
	if !strings.Contains(out.String(), "examples: constraints") {
		t.Errorf("%s", out.String())
	}
}
