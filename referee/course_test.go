package referee

import (
	"slices"
	"testing"

	"luzhanqi/game"
	"luzhanqi/process"
)

func TestCoursesDiffer(t *testing.T) {
	first, second := game.First, game.Second
	of := func(setUp game.SetUp, e Ending, moves ...game.Move) string {
		c := Course{SetUps: [2]game.SetUp{setUp}}
		for _, m := range moves {
			c.Add(m)
		}
		return c.Digest(&e)
	}
	won := Ending{Code: Won, Winner: &first}
	m, other := game.Move{From: 1, To: 2}, game.Move{From: 2, To: 1}
	same := of("A1:L B1:F", won, m, other)
	if got := of("B1:F A1:L", won, m, other); got != same || len(same) != 16 {
		t.Errorf("the same game, its set-up in another order: %s and %s", same, got)
	}
	for name, got := range map[string]string{
		"moves":  of("A1:L B1:F", won, other, m),
		"fewer":  of("A1:L B1:F", won, m),
		"set-up": of("A1:F B1:L", won, m, other),
		"winner": of("A1:L B1:F", Ending{Code: Won, Winner: &second}, m, other),
		"ending": of("A1:L B1:F", Ending{Code: TimedOut, Winner: &first}, m, other),
	} {
		if got == same {
			t.Errorf("other %s, the same digest", name)
		}
	}
	if got := of("", Ending{Code: Void}, m); got != "" {
		t.Errorf("a void game has the digest %s", got)
	}
}

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
