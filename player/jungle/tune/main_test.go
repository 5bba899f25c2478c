package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game"
	rules "luzhanqi/game/jungle"
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
		{Out: first, Games: 20, Nodes: 30, By: []string{"textbook"}},
		{Out: first, Games: 20, Nodes: 0, Epochs: 1, By: []string{"textbook"}},
		{Out: first, Games: 20, Nodes: 30, Epochs: 1, By: []string{filepath.Join(dir, "none")}},
	} {
		if err := c.run(&out); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// What red has where it wins counts for it, and what blue has where blue wins; what both have where nobody wins counts nothing.
func TestFit(t *testing.T) {
	var positions []position
	for _, c := range []struct {
		board  string
		points float32
	}{{"E33", 1}, {"e33", 0}, {"L33", 1}, {"l33", 0}, {"C33 c35", 0.5}} {
		b, err := rules.ParseBoard(c.board, rules.Referee)
		if err != nil {
			t.Fatal(err)
		}
		for turn := range game.Side(2) {
			for range 50 {
				positions = append(positions, position{seen{b, turn}, c.points})
			}
		}
	}
	l, err := rounded(fit(io.Discard, positions, positions, 2))
	if err != nil || l.Worth[rules.Elephant] < 100 || l.Worth[rules.Lion] < 100 || max(l.Worth[rules.Cat], -l.Worth[rules.Cat]) > 20 || l.Worth[rules.Dog] != 0 {
		t.Errorf("%v: %v", err, l.Worth)
	}
}
