package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi/network"
)

// A network trained on a few games is one that the player reads, it names the command that made it, and it does not depend on the
// number of processors.
func TestTrain(t *testing.T) {
	c := &command{Out: filepath.Join(t.TempDir(), "network.txt"), Games: 12, Nodes: 60, Epochs: 2, Rate: 0.01, Decay: 0.05, Seed: 1, Note: "of no commit"}
	var out strings.Builder
	if err := c.run(&out); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	text, err := os.ReadFile(c.Out)
	if err != nil {
		t.Fatal(err)
	}
	n, err := network.Read(string(text))
	if err != nil || n.Terms == network.Default().Terms {
		t.Errorf("%v\n%.300s", err, text)
	}
	for _, want := range []string{"# go run ./player/luzhanqi/train/network --out FILE --games 12 --nodes 60", "\n# of no commit\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file does not say %q:\n%.500s", want, text)
		}
	}
	if !strings.Contains(out.String(), "epoch 2: ") {
		t.Errorf("%s", out.String())
	}
	again := *c
	again.Out = filepath.Join(t.TempDir(), "again.txt")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if err := again.run(io.Discard); err != nil {
		t.Fatal(err)
	}
	if same, err := os.ReadFile(again.Out); err != nil || string(same) != string(text) {
		t.Errorf("on one processor another network comes of it: %v", err)
	}
}
