package chance

import (
	"slices"
	"testing"

	"luzhanqi/process"
)

// Both programs, in both games of a pair, read one seed, which every language can read; the next pair has another.
func TestSeedsOfPrograms(t *testing.T) {
	seen := map[uint64]bool{}
	for number := 1; number < 2000; number += 2 {
		s := ProgramSeed(7, number)
		if s != ProgramSeed(7, number+1) || s >= 1<<53 || seen[s] {
			t.Fatalf("games %d and %d: %d and %d", number, number+1, s, ProgramSeed(7, number+1))
		}
		seen[s] = true
	}
	c := process.Command{Args: []string{"bot", "--seed={seed}", "{seed}{seed}"}, Env: []string{"SEED={seed}", "A=b"}, Ready: process.NewReserve(nil)}
	got := Seeded(c, 42)
	if !slices.Equal(got.Args, []string{"bot", "--seed=42", "4242"}) || !slices.Equal(got.Env, []string{"SEED=42", "A=b"}) || got.Ready != nil || c.Args[1] != "--seed={seed}" {
		t.Errorf("%+v of %+v", got, c)
	}
	if plain := Seeded(process.Command{Args: []string{"bot"}, Ready: c.Ready}, 42); plain.Ready != c.Ready {
		t.Error("a command without a seed is not made ready")
	}
}
