package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
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
	if err != nil || strings.Join(m.Names, " ") != "guard anybody book simple near far tuned1 tuned2 tuned3 tuned4 tuned5 tuned6 tuned7" {
		t.Errorf("%v, %v", m.Names, err)
	}
	for _, want := range []string{"book     guarded  0.2200\n", "tuned1   open     0.0286\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if !strings.Contains(string(text), "maker tuned1 open 0.0286 stranger\n") {
		t.Errorf("what the pieces of a kin do is not a stranger's: %.300s", text)
	}
}

// What a tuner would find next is drawn near to what was found: every set-up of a kin is near to some, at most four pairs of pieces away or
// the headquarters besides, none of those drawn guards its flag, and every fourth has it where it was not.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for k, kin := range kins() {
		near := map[int]int{}
		moved := 0
		const draws = 1000
		for range draws {
			s := alike(r, kin)
			if home, _ := likelihood.HomeOf(s); home != likelihood.Placed {
				t.Fatalf("%v guards its flag", s)
			}
			best, least := 0, hiddeninfo.Pieces
			for i, of := range kin {
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
			if least > 10 {
				t.Fatalf("kin %d: %v is %d squares away from the nearest, must be at most 10", k+1, s, least)
			}
			near[best]++
			if s.At(flagAt(kin[best])) != rules.Flag {
				moved++
			}
		}
		if len(near) != len(kin) {
			t.Errorf("kin %d: only %d of %d set-ups are near to some that was drawn", k+1, len(near), len(kin))
		}
		if moved < draws/8 || moved > draws*3/8 {
			t.Errorf("kin %d: of %d flags %d were moved", k+1, draws, moved)
		}
	}
}

func flagAt(s rules.SetUp) game.Square {
	if s.At(1) == rules.Flag {
		return 1
	}
	return 3
}

// Set-ups of a kin look more like each other than like those of others, and their landmines are the same way round: to mirror one would
// put it farther away.
func TestKins(t *testing.T) {
	all := kins()
	away := func(s rules.SetUp, kin []rules.SetUp, mirror bool) (least int) {
		least = hiddeninfo.Pieces
		for _, of := range kin {
			n := 0
			for _, sq := range hiddeninfo.Homes {
				at := sq
				if mirror {
					at = likelihood.Mirror(sq)
				}
				if s.At(at) != of.At(sq) {
					n++
				}
			}
			if n > 0 || mirror { // not itself
				least = min(least, n)
			}
		}
		return least
	}
	const kindred = 18
	for k, kin := range all[:len(all)-1] {
		for _, s := range kin {
			own := away(s, kin, false)
			if len(kin) > 1 && (own > kindred || away(s, kin, true) < own) {
				t.Errorf("kin %d: %v is %d squares away from the nearest of its kin", k+1, s, own)
			}
			for j, other := range all {
				if j != k && min(away(s, other, false), away(s, other, true)) < min(own, kindred-5) {
					t.Errorf("%v of kin %d is nearer to kin %d", s, k+1, j+1)
				}
			}
		}
	}
}
