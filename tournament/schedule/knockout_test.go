package schedule

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/tournament/rating"
)

// function is a result for every game by its players.
type function struct {
	games map[string]Game
	of    func(Game) rating.Result
}

func (f function) Result(id string) rating.Result { return f.of(f.games[id]) }

// play plays a whole schedule.
func play(s *Schedule, of func(Game) rating.Result) ([]Game, *Cursor) {
	f := function{games: map[string]Game{}, of: of}
	c := s.Cursor()
	var all []Game
	for g, ok := c.Next(f); ok; g, ok = c.Next(f) {
		f.games[g.ID] = g
		all = append(all, g)
	}
	return all, c
}

// strict says that the player with the better rank wins.
func strict(rank []int) func(Game) rating.Result {
	return func(g Game) rating.Result {
		if slices.Index(rank, g.Players[0]) < slices.Index(rank, g.Players[1]) {
			return rating.Win
		}
		return rating.Loss
	}
}

// A knockout has one encounter less than players, every loser is out, and the byes belong to the first seeds.
func TestKnockoutLosersAreOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t, Knockout)
		s := scheduleOf(t, spec)
		seed := rapid.Uint64().Draw(t, "results")
		games, c := play(s, func(g Game) rating.Result { return chance{seed}.Result(g.ID) })
		if !c.Complete() {
			t.Fatal("not complete")
		}
		decisions := c.Decisions()
		if len(decisions) != spec.Players-1 {
			t.Fatalf("%d decisions of %d players", len(decisions), spec.Players)
		}
		out := map[int]int{}
		for _, d := range decisions {
			if round, is := out[d.Loser]; is {
				t.Fatalf("player %d lost in rounds %d and %d", d.Loser, round, d.Round)
			}
			if round, is := out[d.Winner]; is && round < d.Round {
				t.Fatalf("player %d, out in round %d, won in round %d", d.Winner, round, d.Round)
			}
			out[d.Loser] = d.Round
			var points [2]int
			n := 0
			for _, g := range games {
				if g.Round != d.Round || g.Players[0] != d.Winner && g.Players[1] != d.Winner {
					continue
				}
				n++
				r := int(chance{seed}.Result(g.ID) - rating.Loss)
				if g.Players[0] != d.Winner {
					r = 2 - r
				}
				points[0] += r
				points[1] += 2 - r
			}
			if want := spec.Games + 2*d.Replays; n != want {
				t.Fatalf("%+v: %d games, want %d", d, n, want)
			}
			if d.BySeed != (points[0] == points[1]) || points[0] < points[1] || d.BySeed && d.Replays != spec.Replays {
				t.Fatalf("%+v with half points %v", d, points)
			}
			if d.BySeed && slices.Index(s.Order(), d.Winner) > slices.Index(s.Order(), d.Loser) {
				t.Fatalf("%+v: the later seed went on", d)
			}
		}
		size := 1
		for size < spec.Players {
			size *= 2
		}
		var free []int
		for _, b := range c.Byes() {
			if b.Round != 1 {
				t.Fatalf("%+v", b)
			}
			free = append(free, b.Player)
		}
		slices.Sort(free)
		want := s.Order()[:size-spec.Players]
		slices.Sort(want)
		if !slices.Equal(free, want) {
			t.Fatalf("byes of %v, want the first seeds %v", free, want)
		}
	})
}

// When the better seed always wins, seeds 1 and 2 meet last, 1 to 4 in the last two rounds, and so on.
func TestKnockoutKeepsSeedsApart(t *testing.T) {
	for n := 2; n <= 70; n++ {
		s := scheduleOf(t, Spec{Format: Knockout, Players: n, Games: 2, Drawn: n%2 == 0, Seed: uint64(n)})
		_, c := play(s, strict(s.Order()))
		decisions := c.Decisions()
		last := decisions[len(decisions)-1].Round
		for _, d := range decisions {
			winner, loser := slices.Index(s.Order(), d.Winner), slices.Index(s.Order(), d.Loser)
			left := 1 << (last - d.Round + 1) // players of the round, byes included
			if winner+loser != left-1 || d.BySeed || d.Replays != 0 {
				t.Errorf("%d players, %+v: seeds %d and %d", n, d, winner+1, loser+1)
			}
		}
	}
}
