package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/train/gamefile"
)

// What is learned from a few games is a model that the player reads, which names the command that made it; twice the same.
func TestLearn(t *testing.T) {
	games, err := gamefile.Read("testdata/games.gz")
	if err != nil {
		t.Fatal(err)
	}
	if len(games) != 20 {
		t.Fatalf("%d games", len(games))
	}
	var texts [2]string
	for i := range texts {
		c := &command{Games: []string{"testdata/games.gz"}, Out: filepath.Join(t.TempDir(), "ranks.txt"), Units: 4, Every: 10, Epochs: 2, Rate: 0.01, Seed: 1}
		var out strings.Builder
		if err := c.run(&out); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(c.Out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := likelihood.ReadRankModel(string(text)); err != nil || !strings.Contains(string(text), "# go run ./player/luzhanqi/train/pieces --out") {
			t.Errorf("%v\n%.300s", err, text)
		}
		if !strings.Contains(out.String(), "epoch 2: ") || !strings.Contains(out.String(), "everybody") {
			t.Errorf("%s", out.String())
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Error("the same games teach something else")
	}
	c := &command{Games: []string{"testdata/none.gz"}, Units: 4, Every: 10, Epochs: 2}
	if err := c.run(&strings.Builder{}); err == nil {
		t.Error("no file is no error")
	}
}

// A step goes down the gradient: what the learner changes agrees with differences of the loss.
func TestGradient(t *testing.T) {
	games, err := gamefile.Read("testdata/games.gz")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	all, err := examplesOf(&games[1], 10, r)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d examples, %v", len(all), err)
	}
	e := all[len(all)/2]
	e.player = "column" // counts once
	l := newLearner(6, r)
	for name, weights := range map[string]*weights{"hidden": &l.hidden, "out": &l.out, "direct": &l.direct} {
		at := r.IntN(len(weights.w))
		switch name {
		case "hidden":
			at = int(e.own[0].number)*l.units + 2
		case "direct":
			at = int(e.own[0].number)*columns + likelihood.Tied(int(e.truth))
		}
		lossOf := func() float64 { p := l.odds(&e); return -math.Log(p[e.truth]) }
		const step = 1e-2
		was := weights.w[at]
		weights.w[at] = was + step
		high := lossOf()
		weights.w[at] = was - step
		low := lossOf()
		weights.w[at] = was
		slope := (high - low) / (2 * step)
		before := weights.moved[at]
		// The learner adds the square of the slope to what has moved.
		l.learn(&e, 0)
		got := math.Sqrt(float64(weights.moved[at] - before))
		// Twins share a factor, of which either is as likely.
		if math.Abs(got-math.Abs(slope)) > 0.05*math.Abs(slope)+1e-3 {
			t.Errorf("%s: slope %.4f, by differences %.4f", name, got, math.Abs(slope))
		}
	}
}
