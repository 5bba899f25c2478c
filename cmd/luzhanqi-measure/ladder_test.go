package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game/jungle"
	"luzhanqi/tournament/rating"
)

func measured(t *testing.T, c ladderCommand) string {
	t.Helper()
	var out strings.Builder
	c.Seed, c.Opening, c.Nodes = 1, 2, 50
	if err := c.Run(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A ladder that is interrupted, in the middle of a line of its results, ends as one that was not.
func TestLadderGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	c := ladderCommand{Game: "jungle", Levels: []string{"random", "greedy-slip75", "greedy%45", "strong"}, Games: 8, Far: 4, Deep: []string{"strong"}, Few: 2, Results: file}
	want := measured(t, c)
	text, err := os.ReadFile(file)
	// Of six pairs of levels, two are of neighbours, one is not, and three are of a deep one.
	if err != nil || strings.Count(string(text), "\n") != 2*4+2+3*1 || !strings.Contains(string(text), `"jungle:strong@50"`) {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := os.WriteFile(file, text[:len(text)*2/3], 0o666); err != nil {
		t.Fatal(err)
	}
	if got := measured(t, c); got != want {
		t.Errorf("%s\nwithout a break\n%s", got, want)
	}
}

// What the table says of made-up games: who is too near and too far, and which two miss their joint ratings most.
func TestLadderTable(t *testing.T) {
	l := ladder{game: jungle.Game{}, names: []string{"jungle:a", "jungle:b", "jungle:c", "jungle:d"}, seed: 3}
	f := &panelFile{}
	add := func(lower, higher int, points ...float64) { // of the higher one
		for pair := range 40 {
			var games [2]playedGame
			for n := range games {
				games[n].Points = 1 - points[(2*pair+n)%len(points)]
			}
			f.pairs = append(f.pairs, playedPair{Players: [2]string{l.names[lower], l.names[higher]}, Seed: 3, Pair: pair, Games: games})
		}
	}
	add(0, 1, 1, 1, 1, 0, 1, 1, 0, 1)                                                          // 75 %
	add(1, 2, 1, 1, 1, 1, 1, 1, 0.5, 1)                                                        // above 85
	add(2, 3, 0.5, 0.5, 0.5, 0.5, 1, 0.5)                                                      // below 65
	add(0, 3, 0, 1, 0, 1, 0, 0, 0.5, 0.5)                                                      // against all that is expected, so that what is between them promises less than it is
	f.pairs = append(f.pairs, playedPair{Players: [2]string{l.names[0], l.names[1]}, Seed: 4}) // of another seed: not counted
	var out strings.Builder
	if err := l.print(&out, f); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{"games", " 75.0 ± ", " above 85", " below 65", "furthest off: jungle:c against jungle:b takes 93.8 ± 3.4 %, and 71.1 by the joint fit: +22.6 points"} {
		at := i
		if i > 0 {
			at++ // the weakest has nobody before it
		}
		if !strings.Contains(lines[at], want) {
			t.Errorf("line %d is %q, want %q", at, lines[at], want)
		}
	}
	if strings.Contains(lines[2], "65") || strings.Contains(lines[2], "above") {
		t.Errorf("75 %% is complained of: %s", lines[2])
	}
}

// Ratings of games by the model promise the scores that the games had, drawn ones too.
func TestPromisedScores(t *testing.T) {
	met := []rating.Met{}
	for range 100 { // of four games with seats exchanged two are won, one is drawn, one is lost
		for n, points := range []float64{0, 0, 0.5, 1} {
			met = append(met, asWins(0, 1, n&1, playedGame{Points: points}))
		}
	}
	r, err := rating.Fit(2, met)
	if err != nil {
		t.Fatal(err)
	}
	if p := promised(r, 0, 1); math.Abs(p-0.625) > 0.005 {
		t.Errorf("%v, want 0.625", p)
	}
}

func TestLadderRefuses(t *testing.T) {
	for want, c := range map[string]ladderCommand{
		`game "go"`:                  {Game: "go", Games: 2},
		`player "nobody"`:            {Game: "jungle", Levels: []string{"random", "nobody"}, Games: 2},
		"ladder of 1 levels":         {Game: "jungle", Levels: []string{"random"}, Games: 2},
		"greedy is there twice":      {Game: "jungle", Levels: []string{"greedy", "greedy"}, Games: 2},
		"--deep: strong is no level": {Game: "jungle", Levels: []string{"random", "greedy"}, Games: 2, Deep: []string{"strong"}},
		`"0" is no number`:           {Game: "jungle", Levels: []string{"random", "strong"}, Games: 2, Results: t.TempDir()},
		"percentage of random":       {Game: "jungle", Levels: []string{"random", "greedy%0"}, Games: 2},
		`player "nobody" of jung`:    {Game: "jungle", Levels: []string{"random", "nobody%5"}, Games: 2},
	} {
		if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
