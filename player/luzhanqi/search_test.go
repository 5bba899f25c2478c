package luzhanqi

import (
	"slices"
	"testing"
	"time"

	"luzhanqi/player"
)

// Playouts grow from round to round, and the last two rounds see all the plies, however few rounds there are. Levels
// that keep their moves have one length.
func TestPlayoutsGrowFromRoundToRound(t *testing.T) {
	for _, test := range []struct {
		begin int
		want  []int
	}{
		{4, []int{4}},
		{4, []int{4, 20}},
		{4, []int{4, 20, 20}},
		{4, []int{4, 12, 20, 20}},
		{4, []int{4, 8, 12, 16, 20, 20}},
		{24, []int{20, 20, 20}},
		{0, []int{20, 20, 20, 20}},
	} {
		s := &search{plies: 20, begin: test.begin}
		var got []int
		for round := range test.want {
			got = append(got, s.length(round, len(test.want)))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("from %d: %v, must be %v", test.begin, got, test.want)
		}
	}
	for _, kept := range []Style{easy, medium, naive, F665184} {
		if kept.Begin != 0 {
			t.Errorf("%+v: playouts must have one length", kept)
		}
	}
}

// More positions are spread over more worlds, up to the most; at a fixed number the time does not matter. Levels that keep
// their moves have the same number of worlds for any number of positions.
func TestMorePositionsMoreWorlds(t *testing.T) {
	for _, test := range []struct {
		style Style
		nodes int
		limit time.Duration
		want  int
	}{
		{Strong, 600, time.Second, 64},
		{Strong, 6_000, time.Millisecond, 64},
		{Strong, 12_000, time.Second, 64},
		{Strong, 30_000, time.Millisecond, 256},
		{Strong, 30_000, time.Hour, 256},
		{Strong, 1_500_000, time.Second, 512},
		{Strong, 0, 100 * time.Millisecond, 512},
		{Strong, 0, 10 * time.Millisecond, 128},
		{Strong, 0, time.Millisecond, 64},
		{F665184, 1_500_000, time.Second, 64},
		{F665184, 0, 100 * time.Millisecond, 64},
		{F665184, 0, time.Second, 256},
	} {
		p := NewSearcher(test.style, player.Options{Nodes: test.nodes})
		if got := p.worlds(test.limit); got != test.want {
			t.Errorf("%d positions in %v: %d worlds, must be %d", test.nodes, test.limit, got, test.want)
		}
	}
}
