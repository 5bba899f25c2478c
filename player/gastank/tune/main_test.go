package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	rules "luzhanqi/game/gastank"
	"luzhanqi/player/gastank"
)

// What is counted, times the weights, is what the evaluation says, but for its rounding, and for an own king
// that a piece reaches, which the evaluation counts among the pieces that it could take.
func TestCountsAreThoseOfTheEvaluation(t *testing.T) {
	names, weights := evaluated()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := rules.NewPosition()
		for range 10 {
			if _, over := p.Outcome(); over {
				break
			}
			b := p.Board()
			terms := countTerms(&b, p.Mover())
			if len(terms) != len(names) {
				t.Fatalf("%d terms, %d names", len(terms), len(names))
			}
			want := float64(gastank.Defaults.NewTree(p.View(p.Mover()), 0).Evaluate())
			if p.Mover() == game.Second {
				want = -want
			}
			if got := dot(terms, weights); math.Abs(got-want) > 130 {
				t.Fatalf("seed %d: %.1f, the evaluation says %.0f", seed, got, want)
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))]).(rules.Position)
		}
	}
}

// A few quick games are enough to run.
func TestTune(t *testing.T) {
	var out strings.Builder
	if err := (&command{Games: 2, Nodes: 60, Seed: 1}).run(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "tuned: loss ") || !strings.Contains(out.String(), "haste") {
		t.Errorf("%s", out.String())
	}
}
