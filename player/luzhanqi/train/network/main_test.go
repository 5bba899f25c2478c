package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi/network"
)

// A network trained on a few games is one that the player reads, and it names the command that made it.
func TestTrain(t *testing.T) {
	c := &command{Out: filepath.Join(t.TempDir(), "network.txt"), Games: 2, Nodes: 60, Rate: 0.004, Decay: 0.01, Epochs: 1, Seed: 1}
	var out strings.Builder
	if err := c.run(&out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.Out)
	if err != nil {
		t.Fatal(err)
	}
	n, err := network.Read(string(text))
	if err != nil || n.Terms == network.Default().Terms || !strings.Contains(string(text), "go run ./player/luzhanqi/train/network --out") {
		t.Errorf("%v\n%.300s", err, text)
	}
	if !strings.Contains(out.String(), "epoch 1: ") {
		t.Errorf("%s", out.String())
	}
}
