package schedule

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"luzhanqi/tournament/rating"
)

type none struct{}

func (none) Result(string) rating.Result { return rating.Void }

// games are those of a spec, by their ids, and the ids in order.
func games(t *testing.T, spec Spec) (all map[string]Game, order []string) {
	t.Helper()
	s, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	all = map[string]Game{}
	for g := range s.Games(none{}) {
		if _, twice := all[g.ID]; twice {
			t.Fatalf("%v: game %s comes twice", spec, g.ID)
		}
		all[g.ID] = g
		order = append(order, g.ID)
	}
	if most, _ := s.Size(); len(all) != most {
		t.Fatalf("%v: %d games, not %d", spec, len(all), most)
	}
	return all, order
}

// What grows has all games that it had, with their players, seats and seeds.
func TestNothingMovesInWhatGrows(t *testing.T) {
	for _, c := range []struct{ was, is Spec }{
		{Spec{Format: Match, Players: 2, Games: 4}, Spec{Format: Match, Players: 2, Games: 5000}},
		{Spec{Format: RoundRobin, Players: 4, Games: 2, Cycles: 1}, Spec{Format: RoundRobin, Players: 7, Games: 2, Cycles: 1}},
		{Spec{Format: RoundRobin, Players: 5, Games: 2, Cycles: 3}, Spec{Format: RoundRobin, Players: 6, Games: 10, Cycles: 4}},
		{Spec{Format: RoundRobin, Players: 5, Games: 3, Cycles: 3, Odd: true}, Spec{Format: RoundRobin, Players: 8, Games: 3, Cycles: 5, Odd: true}},
		{
			Spec{Format: Gauntlet, Players: 4, Games: 2, Cycles: 1, Challengers: []int{1}},
			Spec{Format: Gauntlet, Players: 9, Games: 4, Cycles: 2, Challengers: []int{1, 5, 6}},
		},
	} {
		c.was.Growing, c.is.Growing, c.was.Seed, c.is.Seed = true, true, 7, 7
		before, _ := games(t, c.was)
		after, _ := games(t, c.is)
		for id, g := range before {
			if after[id] != g {
				t.Errorf("%v: %s was %+v, is %+v", c.is, id, g, after[id])
			}
		}
		seeds := map[string]bool{}
		for _, g := range after {
			seeds[fmt.Sprint(g.Seed, g.Number)] = true
		}
		if len(seeds) != len(after) {
			t.Errorf("%v: %d seeds for %d games", c.is, len(seeds), len(after))
		}
	}
}

// Everybody meets everybody as often, with each seat as often as can be, and no encounter is ahead of another by more than a pair.
func TestGrowingInterleaves(t *testing.T) {
	for _, spec := range []Spec{
		{Format: RoundRobin, Players: 5, Games: 6, Cycles: 2},
		{Format: RoundRobin, Players: 6, Games: 1, Cycles: 4, Odd: true},
		{Format: RoundRobin, Players: 4, Games: 3, Cycles: 2, Odd: true},
		{Format: Gauntlet, Players: 6, Games: 4, Cycles: 1, Challengers: []int{0, 3}},
	} {
		spec.Growing = true
		all, order := games(t, spec)
		met, first := map[[2]int]int{}, map[[2]int]int{}
		for _, id := range order {
			g := all[id]
			met[ordered(g.Players[0], g.Players[1])]++
			first[g.Players]++
			counts := slices.Sorted(maps.Values(met))
			if len(met) > 1 && g.Round > 1 && counts[len(counts)-1]-counts[0] > 2 {
				t.Fatalf("%v: at %s encounters have had %v games", spec, id, counts)
			}
		}
		for e, n := range met {
			if n != spec.Games*spec.Cycles {
				t.Errorf("%v: %v met %d times", spec, e, n)
			}
			if a, b := first[e], first[[2]int{e[1], e[0]}]; max(a, b)-min(a, b) > spec.Games*spec.Cycles%2 {
				t.Errorf("%v: %v have the first seat %d and %d times", spec, e, a, b)
			}
		}
	}
}
