package main

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi"
)

// What players foretell is printed by phases and deciles, the same however many games are played at a time; who says nothing is said to.
func TestCalibrate(t *testing.T) {
	var texts [2]string
	for i := range texts {
		c := &calibrateCommand{Player: "strong", Against: []string{"greedy", "medium"}, Judges: []string{"handmade", "oracle", "greedy"}, Games: 2, Nodes: 200, Every: 3, Parallel: 1 + i, Seed: 1}
		var out strings.Builder
		if err := c.Run(&out); err != nil {
			t.Fatal(err)
		}
		texts[i] = out.String()
	}
	if texts[0] != texts[1] {
		t.Errorf("two at a time:\n%s\none:\n%s", texts[1], texts[0])
	}
	for _, want := range []string{
		`strong takes \d+\.\d % of 2 games from greedy`,
		`strong against greedy: \d+ moves, Brier score 0\.\d+, \d\.\d+ nats, foretold 0\.\d+, came [01]\.\d+, bias [+-]0\.\d+ ± 0\.\d+`,
		`  from ply   0: +\d+, foretold`,
		`  decile  1: +\d+, foretold`,
		`oracle in all games: \d+ moves`,
		`greedy against medium: foretold nothing`,
	} {
		if !regexp.MustCompile(want).MatchString(texts[0]) {
			t.Errorf("no %q in\n%s", want, texts[0])
		}
	}
	if err := (&calibrateCommand{Games: 0}).Run(&strings.Builder{}); err == nil {
		t.Error("no games are no error")
	}
	if err := (&calibrateCommand{Player: "strong", Against: []string{"nobody"}, Games: 1, Every: 1, Parallel: 1}).Run(&strings.Builder{}); err == nil {
		t.Error("no such player is no error")
	}
}

// What is fitted to games that end by known odds is these odds.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	truth := luzhanqi.Foretelling{{Ply: 0, Bias: -0.4, Slope: 0.6}, {Ply: 1000, Bias: 0.8, Slope: 1.5}}
	var all []foretold
	for i := range 60_000 {
		from := r.IntN(len(knots)) // and as many after the last one as between two
		to := append(knots, 1100)[from+1]
		f := foretold{game: i, ply: int(knots[from] + r.Float64()*(to-knots[from])), chance: 0.05 + 0.9*r.Float64()}
		k := truth.At(f.ply)
		if r.Float64() < 1/(1+math.Exp(-k.Bias-k.Slope*luzhanqi.LogOdds(2*f.chance-1))) {
			f.points = 1
		}
		all = append(all, f)
	}
	found := fit(all)
	if len(found) != len(knots) {
		t.Fatalf("%d knots", len(found))
	}
	for _, k := range found {
		want := truth.At(int(k.Ply))
		if math.Abs(k.Bias-want.Bias) > 0.12 || math.Abs(k.Slope-want.Slope) > 0.12 {
			t.Errorf("found %v, want %v", k, want)
		}
	}
}

// Where more was foretold and less came, as a few long games can have it, more is foretold all the same.
func TestFitNeverTurns(t *testing.T) {
	var all []foretold
	for i := range 2_000 {
		for ply := 250; ply < 400; ply += 50 {
			all = append(all, foretold{game: 2 * i, ply: ply, chance: 0.2, points: 1}, foretold{game: 2*i + 1, ply: ply, chance: 0.8})
		}
	}
	for _, k := range fit(all) {
		if k.Slope < leastSlope {
			t.Errorf("slope %v at ply %v", k.Slope, k.Ply)
		}
	}
}

// Of what nobody has played nothing changes; nor by values of which many are known.
func TestFitLeavesWhatIsKnown(t *testing.T) {
	var all []foretold
	for game := range 100 {
		all = append(all, foretold{game: game, ply: 50, chance: 0.99}, foretold{game: game, ply: 50, chance: 1}, foretold{game: game, ply: 50, points: 1})
	}
	for _, k := range fit(all) {
		if k.Bias != 0 || k.Slope != 1 {
			t.Errorf("%v", k)
		}
	}
}

// A game counts once between two knots, however many moves it has there.
func TestFitCountsGames(t *testing.T) {
	var all []foretold
	for game := range 2_000 {
		moves, points := 1, 1.0
		if game%2 == 0 {
			moves, points = 15, 0
		}
		for range moves {
			all = append(all, foretold{game: game, ply: 0, chance: 0.5, points: points})
		}
	}
	if k := fit(all)[0]; math.Abs(k.Bias) > 0.1 {
		t.Errorf("half of the games are won, and the bias is %v", k.Bias)
	}
	if got := bias(all); !strings.Contains(got, "foretold 0.500, came 0.062, bias +0.438 ± 0.00") {
		t.Errorf("%s", got)
	}
}

// Against itself both sides say what they foretell.
func TestCalibrateBothSides(t *testing.T) {
	c := &calibrateCommand{Player: "strong", Games: 1, Nodes: 100, Every: 1, Seed: 1}
	said, points, err := c.play("strong", []string{"strong"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	sides := map[int]int{}
	for _, f := range said[0] {
		if want := points; f.ply%2 == 0 && f.points != want || f.ply%2 == 1 && f.points != 1-want {
			t.Errorf("ply %d: %v points, where the first side got %v", f.ply, f.points, points)
		}
		sides[f.ply%2]++
	}
	if sides[0] < 10 || sides[1] < 10 {
		t.Errorf("moves by side: %v", sides)
	}
}
