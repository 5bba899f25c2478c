package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/hiddeninfo"
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
	if err != nil || strings.Join(m.Names, " ") != "guard anybody book simple near far tuned" {
		t.Errorf("%v, %v", m.Names, err)
	}
	if !strings.Contains(out.String(), "book     guarded  0.2200\n") {
		t.Errorf("%s", out.String())
	}
}

// What a tuner would find next is drawn near to what was found: every set-up of the file is near to some, at most four pairs of pieces away, and none of those
// drawn guards its flag.
func TestTuned(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	near := map[int]int{}
	for range 2000 {
		s := tuned(r)
		if home, _ := likelihood.HomeOf(s); home != likelihood.Placed {
			t.Fatalf("%v guards its flag", s)
		}
		best, least := 0, hiddeninfo.Pieces
		for i, of := range tunedSetUps() {
			away := 0
			for _, sq := range hiddeninfo.Homes {
				if s.At(sq) != of.At(sq) {
					away++
				}
			}
			if away < least {
				best, least = i, away
			}
		}
		if least > 8 {
			t.Fatalf("%v is %d squares away from the nearest, must be at most 8", s, least)
		}
		near[best]++
	}
	if len(near) != len(tunedSetUps()) {
		t.Errorf("only %d of %d set-ups are near to some that was drawn", len(near), len(tunedSetUps()))
	}
}
