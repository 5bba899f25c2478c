package selfplay_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	rules "luzhanqi/game/jungle"
	"luzhanqi/player/alphabeta/selfplay"
	"luzhanqi/player/jungle"
)

// A series comes out the same again; a sample that is left out is not there, and who is not beaten within the cap has drawn.
func TestPlay(t *testing.T) {
	series := selfplay.Series{Game: rules.Game{}, Search: jungle.Search, Games: 12, Nodes: 20, Seed: 5, Opening: [2]int{1, 4}, Slips: []int{0, 100}}
	sample := func(v game.View, r *rand.Rand) (string, bool) {
		return fmt.Sprint(v.(*rules.View).Ply(), " ", v.Mover()), r.IntN(2) == 0
	}
	first, err := selfplay.Play(series, sample)
	if err != nil {
		t.Fatal(err)
	}
	again, err := selfplay.Play(series, sample)
	if err != nil {
		t.Fatal(err)
	}
	results, last := map[float64]int{}, 0
	for n, positions := range first {
		if fmt.Sprint(positions) != fmt.Sprint(again[n]) {
			t.Errorf("game %d came out otherwise:\n%v\n%v", n, positions, again[n])
		}
		for _, p := range positions {
			ply := 0
			fmt.Sscan(p.Sample, &ply)
			last = max(last, ply)
			if p.Result != positions[0].Result || ply < 1 {
				t.Errorf("game %d: %+v", n, p)
			}
		}
		if len(positions) > 0 {
			results[positions[0].Result]++
		}
		if len(positions) > 75+20 {
			t.Errorf("game %d: %d of 150 plies at most were sampled, though half are left out", n, len(positions))
		}
	}
	if results[0] == 0 || results[1] == 0 || last >= (rules.Game{}).Limits().MaxPlies {
		t.Errorf("results %v, the last ply %d", results, last)
	}
	for _, bad := range []selfplay.Series{
		{Game: rules.Game{}, Search: jungle.Search, Nodes: 20},
		{Game: rules.Game{}, Search: jungle.Search, Games: 1},
	} {
		if _, err := selfplay.Play(bad, sample); err == nil {
			t.Errorf("%+v is played", bad)
		}
	}
}

// Who can step into the den, and does not slip, has won; who slips in all moves need not.
func TestResult(t *testing.T) {
	series := selfplay.Series{Game: rules.Game{}, Search: jungle.Search, Games: 30, Nodes: 20, Seed: 6, Opening: [2]int{1, 4}}
	winner := func(v game.View, _ *rand.Rand) (game.Side, bool) {
		b := v.(*rules.View).Board()
		return v.Mover(), b.Of(v.Mover())&rules.Steps(rules.Den(v.Mover().Other())) != 0
	}
	for _, slips := range []int{0, 100} {
		series.Slips = []int{slips}
		games, err := selfplay.Play(series, winner)
		if err != nil {
			t.Fatal(err)
		}
		right := map[bool]map[game.Side]int{true: {}, false: {}}
		for _, positions := range games {
			for _, p := range positions {
				right[p.Result == float64(1-p.Sample)][p.Sample]++
			}
		}
		if right[true][game.First] == 0 || right[true][game.Second] == 0 || (len(right[false]) > 0) != (slips > 0) {
			t.Errorf("%d %% slips: who could enter won %v, and did not %v", slips, right[true], right[false])
		}
	}
}
