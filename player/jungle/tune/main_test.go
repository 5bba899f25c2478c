package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/player/jungle"
)

// A few games are enough to learn something from, and what was learned can be played by.
func TestTune(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.txt"), filepath.Join(dir, "second.txt")
	var out strings.Builder
	if err := (&command{Out: first, Games: 20, Nodes: 30, Epochs: 2, By: []string{"textbook"}, Seed: 1}).run(&out); err != nil {
		t.Fatal(err)
	}
	if err := (&command{Out: second, Games: 20, Nodes: 30, Epochs: 1, By: []string{"textbook", first}, Seed: 2}).run(&out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	l, err := jungle.Read(string(text))
	if err != nil || l.Worth[0] <= 0 {
		t.Errorf("%v\n%.600s\n%s", err, text, out.String())
	}
	want := "# go run ./player/jungle/tune --by textbook," + first + " --games 20 --nodes 30 --epochs 1 --seed 2 --out FILE\n# before: go run ./player/jungle/tune --by textbook --games 20 --nodes 30 --epochs 2 --seed 1 --out FILE\n"
	if !strings.HasPrefix(string(text), want) {
		t.Errorf("begins with %.400s; want %s", text, want)
	}
	if !strings.Contains(out.String(), "epoch 2: ") {
		t.Error(out.String())
	}
	for _, c := range []*command{
		{Out: first, Games: 1, Nodes: 30, Epochs: 1, By: []string{"textbook"}},
		{Out: first, Games: 20, Nodes: 0, Epochs: 1, By: []string{"textbook"}},
		{Out: first, Games: 20, Nodes: 30, Epochs: 1, By: []string{filepath.Join(dir, "none")}},
	} {
		if err := c.run(&out); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// What red has where it wins counts for it.
func TestFit(t *testing.T) {
	var positions []position
	for i := range 200 {
		red := jungle.Input{Weight: int32(i % 3), Value: 1}
		positions = append(positions, position{[]jungle.Input{red}, 1}, position{[]jungle.Input{{Weight: red.Weight, Value: -1}}, 0}, position{[]jungle.Input{{Weight: 5, Value: 1}}, 0.5})
	}
	l, err := rounded(fit(io.Discard, positions, positions, 2))
	if err != nil || l.Worth[0] <= 0 || l.Worth[1] <= 0 || l.Worth[2] <= 0 || l.Worth[5] != 0 {
		t.Errorf("%v: %v", err, l)
	}
}
