package schedule

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/tournament/rating"
)

// avoidable says whether some pairing of a round has no rematch and no second bye.
func avoidable(left []int, met map[[2]int]bool) bool {
	if len(left) == 0 {
		return true
	}
	for k := 1; k < len(left); k++ {
		if !met[[2]int{left[0], left[k]}] && avoidable(slices.Concat(left[1:k], left[k+1:]), met) {
			return true
		}
	}
	return false
}

// Nobody meets an opponent again, or has a second bye, if any pairing of the round avoids it.
func TestSwissRematches(t *testing.T) {
	forced, rounds := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t, Swiss)
		if spec.Players > 10 {
			spec.Players -= 4
			spec.Rounds = min(spec.Rounds, spec.Players-1)
		}
		seed := rapid.Uint64().Draw(t, "results")
		games, c := play(scheduleOf(t, spec), func(g Game) rating.Result { return chance{seed}.Result(g.ID) })
		met := map[[2]int]bool{}
		players := upTo(spec.Players + spec.Players%2)
		for round := 1; round <= spec.Rounds; round++ {
			var pairs [][2]int
			for _, g := range games {
				if p := [2]int{g.Players[0], g.Players[1]}; g.Round == round && g.Number == 1 && !slices.Contains(pairs, p) {
					pairs = append(pairs, p)
				}
			}
			for _, b := range c.Byes() {
				if b.Round == round {
					pairs = append(pairs, [2]int{b.Player, spec.Players})
				}
			}
			if len(pairs) != len(players)/2 {
				t.Fatalf("round %d of %d players: %v", round, spec.Players, pairs)
			}
			again := false
			for _, p := range pairs {
				again = again || met[p]
			}
			rounds++
			if again {
				forced++
				if avoidable(players, met) {
					t.Fatalf("round %d: %v, although it could be avoided", round, pairs)
				}
			}
			for _, p := range pairs {
				met[p] = true
				met[[2]int{p[1], p[0]}] = true
			}
		}
	})
	if forced == 0 || forced == rounds {
		t.Errorf("%d of %d rounds had rematches: both kinds must be tried", forced, rounds)
	}
}

// Everybody has each seat equally often; with an odd number of games, who has been first too often begins as
// second, whoever the opponent is.
func TestSwissSeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t, Swiss)
		surplus := make([]int, spec.Players)
		seed := rapid.Uint64().Draw(t, "results")
		round, before := 0, []int(nil)
		for g := range scheduleOf(t, spec).Games(chance{seed}) {
			if g.Round != round {
				round, before = g.Round, slices.Clone(surplus)
			}
			if g.Number == 1 && before[g.Players[0]] > before[g.Players[1]] {
				t.Fatalf("%s: %d begins after %d games more as first, %d after %d", g.ID, g.Players[0], before[g.Players[0]], g.Players[1], before[g.Players[1]])
			}
			surplus[g.Players[0]]++
			surplus[g.Players[1]]--
		}
		for player, s := range surplus {
			if spec.Games%2 == 0 && s != 0 {
				t.Fatalf("player %d is first %d times more often than second", player, s)
			}
		}
	})
}

// In a big Swiss nobody ever meets again or is free twice: with so many others it can always be avoided.
func TestSwissOfMany(t *testing.T) {
	for _, n := range []int{200, 131} {
		s := scheduleOf(t, Spec{Format: Swiss, Players: n, Games: 2, Rounds: 15, Seed: 3})
		games, c := play(s, func(g Game) rating.Result { return chance{9}.Result(g.ID) })
		if least, _ := s.Size(); len(games) != least || !c.Complete() {
			t.Errorf("%d players: %d games, want %d", n, len(games), least)
		}
		met := map[[2]int]bool{}
		for _, g := range games {
			if met[[2]int{g.Players[0], g.Players[1]}] {
				t.Errorf("%d players: %s is a rematch of %d and %d", n, g.ID, g.Players[0], g.Players[1])
			}
			met[[2]int{g.Players[0], g.Players[1]}] = true
		}
		free := map[int]bool{}
		for _, b := range c.Byes() {
			free[b.Player] = true
		}
		if len(free) != 15*(n%2) {
			t.Errorf("%d players: byes of %d", n, len(free))
		}
	}
}

// The bye goes to the lowest score that has not had one.
func TestSwissByes(t *testing.T) {
	s := scheduleOf(t, Spec{Format: Swiss, Players: 7, Games: 2, Rounds: 4})
	_, c := play(s, strict(upTo(7)))
	// Round 1: 0-3, 1-4, 2-5, and 6, the last, is free and has two points. Of 3, 4 and 5 with none, 5 is
	// free in round 2, and so on.
	byes := c.Byes()
	if len(byes) != 4 || byes[0] != (Bye{1, 6}) || byes[1] != (Bye{2, 5}) {
		t.Errorf("byes %v", byes)
	}
	had := map[int]bool{}
	for _, b := range byes {
		if had[b.Player] {
			t.Errorf("player %d has two byes", b.Player)
		}
		had[b.Player] = true
	}
	if s.ByePoints() != 2 {
		t.Errorf("a bye gives %v points", s.ByePoints())
	}
}

// With the better player always winning, the first round is upper half against lower half, and in the second
// the winners meet among themselves: 0-2, 1-3, 4-6, 5-7.
func TestSwissScoreGroups(t *testing.T) {
	s := scheduleOf(t, Spec{Format: Swiss, Players: 8, Games: 2, Rounds: 3})
	games, _ := play(s, strict(upTo(8)))
	var got [][3]int
	for _, g := range games {
		if g.Number == 1 {
			got = append(got, [3]int{g.Round, min(g.Players[0], g.Players[1]), max(g.Players[0], g.Players[1])})
		}
	}
	want := [][3]int{
		{1, 0, 4},
		{1, 1, 5},
		{1, 2, 6},
		{1, 3, 7},
		{2, 0, 2},
		{2, 1, 3},
		{2, 4, 6},
		{2, 5, 7},
		{3, 0, 1},
		{3, 2, 4},
		{3, 3, 5},
		{3, 6, 7},
	}
	if !slices.Equal(got, want) {
		t.Errorf("pairings\n%v, want\n%v", got, want)
	}
}
