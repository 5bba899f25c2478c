package rating

import (
	"testing"

	"pgregory.net/rapid"
)

func TestTally(t *testing.T) {
	var tally Tally
	if tally.Counts() != (Games{}) {
		t.Errorf("an empty tally has %v", tally.Counts())
	}
	for i, step := range []struct {
		number int
		result Result
		paired bool
	}{
		{1, Win, false},
		{4, Draw, false}, // pair 2, whose other game is late
		{2, Void, false},
		{2, Loss, true}, // played again
		{6, Win, false},
		{5, Win, true},
		{3, Win, true},
		{7, Loss, false}, // game 8 never counts
		{8, Void, false},
	} {
		if got := tally.Add((step.number-1)/2, step.result); got != step.paired {
			t.Errorf("step %d, game %d %v: paired %v", i, step.number, step.result, got)
		}
	}
	if got, want := tally.Games(), (Games{Wins: 4, Draws: 1, Losses: 2}); got != want {
		t.Errorf("games %v, want %v", got, want)
	}
	if got, want := tally.Pairs(), (Pairs{0, 0, 1, 1, 1}); got != want {
		t.Errorf("pairs %v, want %v", got, want)
	}
	if tally.Counts() != tally.Pairs() {
		t.Errorf("the best evidence is %v", tally.Counts())
	}
}

// TestTallyInAnyOrder: the order in which games end changes nothing.
func TestTallyInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results := rapid.SliceOfN(rapid.SampledFrom([]Result{Void, Loss, Draw, Win}), 0, 20).Draw(t, "results")
		var numbers []int
		var straight Tally
		for i, r := range results {
			numbers = append(numbers, i+1)
			straight.Add(i/2, r)
		}
		var mixed Tally
		for _, number := range rapid.Permutation(numbers).Draw(t, "order") {
			mixed.Add((number-1)/2, results[number-1])
		}
		if mixed.Games() != straight.Games() || mixed.Pairs() != straight.Pairs() {
			t.Fatalf("%v, %v; in order: %v, %v", mixed.Games(), mixed.Pairs(), straight.Games(), straight.Pairs())
		}
		if p := mixed.Pairs(); 2*p.Total() > mixed.Games().Total() {
			t.Fatalf("%v of %v", p, mixed.Games())
		}
	})
}
