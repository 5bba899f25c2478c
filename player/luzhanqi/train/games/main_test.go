package main

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/train/gamefile"
)

// Games can be replayed, and a run that goes on plays those that are missing, the same as one that played all.
func TestGames(t *testing.T) {
	dir := t.TempDir()
	run := func(name string, n int) []gamefile.Game {
		c := &command{Out: filepath.Join(dir, name), Games: n, Nodes: 60, Cast: "levels", Seed: 1}
		var out strings.Builder
		if err := c.run(&out); err != nil {
			t.Fatal(err)
		}
		all, err := gamefile.Read(c.Out)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	run("parts.gz", 2)
	parts, whole := run("parts.gz", 4), run("whole.gz", 4)
	if !reflect.DeepEqual(parts, whole) {
		t.Error("a run that went on has other games")
	}
	for i := range whole {
		plies := 0
		p, err := whole[i].Replay(func(*rules.Position, game.Move) { plies++ })
		if err != nil || plies < 10 {
			t.Fatalf("game %d: %d plies, %v", i, plies, err)
		}
		if o, over := p.Outcome(); over && o.Points(game.First) != whole[i].Points {
			t.Errorf("game %d: %v, in the file %v points", i, o, whole[i].Points)
		}
	}
	if err := (&command{Out: filepath.Join(dir, "none"), Games: 0, Nodes: 1}).run(&strings.Builder{}); err == nil {
		t.Error("no games are no error")
	}
}

// Every player of a cast exists, and the shares add up.
func TestCasts(t *testing.T) {
	for name, cast := range casts {
		sum := 0
		for _, p := range cast {
			sum += p.share
			if _, err := newPlayer(p.name, 10, rand.New(rand.NewPCG(1, 1))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if sum != 100 {
			t.Errorf("%s: the shares add up to %d", name, sum)
		}
	}
}

// The playouts of strong have 10 plies, however few its positions are.
func TestBrief(t *testing.T) {
	s := brief()
	for _, positions := range []int{60, 2_000, 1_000_000} {
		if plies, begin := s.Lengths(positions); plies != 10 || begin != 4 {
			t.Errorf("%d positions: %d plies, the first %d: must be 10 and 4", positions, plies, begin)
		}
	}
}
