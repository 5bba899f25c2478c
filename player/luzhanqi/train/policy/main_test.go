package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi/policy"
)

const games = "../pieces/testdata/games.gz"

// What is learned is a policy that the player reads, which names the command that made it; twice the same.
func TestLearn(t *testing.T) {
	var texts [2]string
	for i := range texts {
		c := &command{Games: games, Out: filepath.Join(t.TempDir(), "policy.txt"), Each: 1, Worlds: 2, Steps: 3, Groups: 8, Horizon: 6, Entropy: 0.003, Rate: 0.02, Sharp: 2, Seed: 1}
		var out strings.Builder
		if err := c.run(&out); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(c.Out)
		if err != nil {
			t.Fatal(err)
		}
		w, err := policy.Read(string(text))
		if err != nil || *w == (policy.Weights{}) || !strings.Contains(string(text), "# go run ./player/luzhanqi/train/policy --out") {
			t.Errorf("%v\n%.300s", err, text)
		}
		if !regexp.MustCompile(`(?s)20 games, 18 positions to learn from, 2 kept apart.*step 3: entropy \d.*20 plies from positions kept apart: [-+]\d.*300 plies`).MatchString(out.String()) {
			t.Errorf("%s", out.String())
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Error("the same games teach something else")
	}
}

// In a few seconds it learns enough to play much better than who draws moves by chance.
func TestLearnsToPlay(t *testing.T) {
	gain := regexp.MustCompile(`20 plies from positions kept apart: ([-+][0-9.]+)`)
	var gains [2]float64
	for i, steps := range []int{1, 120} {
		c := &command{Games: games, Each: 4, Worlds: 4, Steps: steps, Groups: 8, Horizon: 12, Entropy: 0.001, Rate: 0.08, Sharp: 3, Seed: 1}
		var out strings.Builder
		if err := c.run(&out); err != nil {
			t.Fatal(err)
		}
		found := gain.FindStringSubmatch(out.String())
		if found == nil {
			t.Fatal(out.String())
		}
		var err error
		if gains[i], err = strconv.ParseFloat(found[1], 64); err != nil {
			t.Fatal(err)
		}
	}
	if gains[1] < gains[0]+0.2 {
		t.Errorf("after a step it gains %+.3f against the quick policy, and after 120 %+.3f: must be 0.2 more", gains[0], gains[1])
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []*command{
		{Games: "testdata/none.gz", Each: 1, Worlds: 1, Steps: 1, Groups: 4, Horizon: 2},
		{Games: games, Each: 1, Worlds: 1, Steps: 1, Groups: 3, Horizon: 2},
		{Games: games, Each: 0, Worlds: 1, Steps: 1, Groups: 4, Horizon: 2},
	} {
		if err := c.run(&strings.Builder{}); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}
