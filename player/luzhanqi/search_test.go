package luzhanqi

import (
	"math"
	"slices"
	"testing"
	"time"

	"luzhanqi/game/luzhanqi"
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
		{Strong, 0, 20 * time.Millisecond, 128},
		{Strong, 0, 10 * time.Millisecond, 64},
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

// Where values count halfway, a playout above 8 plies that nobody wins is worth the mean of what it is worth after half of its
// plies and after all; any other is worth what it is at its end.
func TestHalfway(t *testing.T) {
	v := midgame(t, 3, 40)
	p := NewSearcher(Strong, player.Options{Nodes: 6_000, Threads: 1})
	p.update(v)
	all := p.search(v, 1, time.Second)
	c := &all.candidates[0]
	raw := func(turn, length int) (value float64, plies int) {
		all.halfway = false
		got, n := all.playout(c, turn, length, &moveBuffer{})
		return float64(got) / (1 - float64(n-1)/400), n - 1
	}
	means := 0
	for turn := range 64 {
		for _, length := range []int{4, 8, 9, 20} {
			all.halfway = true
			got, _ := all.playout(c, turn, length, &moveBuffer{})
			want, plies := raw(turn, length)
			if first, _ := raw(turn, length/2); length > 8 && plies > length/2 {
				if first != want {
					means++
				}
				want = (first + want) / 2
			}
			if want *= 1 - float64(plies)/400; math.Abs(float64(got)-want) > 3 {
				t.Errorf("turn %d, %d plies: %d, must be %.0f", turn, length, got, want)
			}
		}
	}
	if means < 64 {
		t.Errorf("%d playouts are worth something else halfway: too few to tell", means)
	}
}

// Playouts of a search that has few positions are shorter, those of older levels never.
func TestLengths(t *testing.T) {
	for _, c := range []struct{ positions, plies, begin int }{
		{1, 10, 2}, {6_000, 10, 2}, {10_000, 10, 2}, {15_000, 15, 3}, {19_999, 19, 3}, {20_000, 20, 4}, {1_000_000, 20, 4},
	} {
		if plies, begin := Strong.Lengths(c.positions); plies != c.plies || begin != c.begin {
			t.Errorf("%d positions: %d plies, the first %d: must be %d and %d", c.positions, plies, begin, c.plies, c.begin)
		}
		for _, s := range []Style{F665184, medium, easy, naive} {
			if plies, begin := s.Lengths(c.positions); plies != 20 || begin != 0 {
				t.Errorf("%d positions of an older level: %d plies, the first %d", c.positions, plies, begin)
			}
		}
	}
	for limit, positions := range map[time.Duration]int{-time.Second: -1_000_000, 4 * time.Millisecond: 4_000, time.Second: 1_000_000} {
		if got := NewSearcher(Strong, player.Options{}).positions(limit); got != positions {
			t.Errorf("%v: %d positions, must be %d", limit, got, positions)
		}
	}
	if got := NewSearcher(Strong, player.Options{Nodes: 7}).positions(time.Second); got != 7 {
		t.Errorf("%d positions, must be the 7 that are asked for", got)
	}
	if plies, begin := (&Style{Plies: 1, Full: 100}).Lengths(0); plies != 1 || begin != 0 {
		t.Errorf("%d plies, the first %d: must be 1 and 0", plies, begin)
	}
}

// Fights with pieces that are not known are worth more to strong than their playouts say, quiet moves and fights with known pieces
// what they say; and nothing is worth more to levels that keep their moves.
func TestBoldness(t *testing.T) {
	fights := map[bool]int{} // whether the piece is known
	for seed := range uint64(40) {
		v := midgame(t, seed, 40+40*int(seed%4))
		for _, style := range []Style{Strong, F665184, medium, easy} {
			p := NewSearcher(style, player.Options{})
			p.update(v)
			for _, c := range p.search(v, 1, time.Second).candidates {
				want := 0.0
				if v.Enemy().Has(c.move.To) {
					piece, _ := p.watcher.Belief.PieceAt(c.move.To)
					known := p.watcher.Belief.Mask(piece).Len() == 1
					fights[known]++
					if !known {
						want = style.bold(p.positions(time.Second))
					}
				}
				if c.bold != want {
					t.Errorf("seed %d: %v is worth %v more, must be %v", seed, c.move, c.bold, want)
				}
			}
		}
	}
	v := midgame(t, 1, 60)
	p := NewSearcher(Strong, player.Options{})
	p.Truth = func(v *luzhanqi.View) luzhanqi.Board {
		setUp := FromBook.Draw(newRand(1))
		return luzhanqi.Deploy(setUp, setUp)
	}
	p.update(v)
	for _, c := range p.search(v, 1, time.Second).candidates {
		if c.bold != 0 {
			t.Errorf("%v is worth %v more to who sees the truth", c.move, c.bold)
		}
	}
	for positions, want := range map[int]float64{0: 0.04, 1500: 0.04, 30_000: 0.04, 120_000: 0.02, 3_000_000: 0.004} {
		if got := Strong.bold(positions); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d positions: %v, must be %v", positions, got, want)
		}
	}
	if fights[true] == 0 || fights[false] == 0 || Strong.Boldness == 0 || F665184.Boldness != 0 {
		t.Errorf("%v fights with known and unknown pieces, boldness %v and %v", fights, Strong.Boldness, F665184.Boldness)
	}
	for _, test := range []struct {
		c    candidate
		want float64
	}{
		{candidate{bias: 1, visits: 4, sum: 0, bold: 0.04}, 0.04},
		{candidate{bias: 1, visits: 4, sum: 20_000, bold: 0.04}, 0.53},
		{candidate{bias: 1, visits: 4, sum: 40_000, bold: 0.04}, 1},
		{candidate{bias: 1, visits: 4, sum: -40_000, bold: 0.04}, -1},
		{candidate{bias: 1, visits: 4, sum: 20_000, bold: 0.04, mates: []int8{forcedWin, forcedLoss}}, 0.5},
		{candidate{bias: 1, visits: 4, sum: 20_000, bold: 0.04, mates: []int8{forcedWin, unknown}}, 0.53},
		{candidate{bias: 1, draw: true, bold: 0.04}, 0},
		{candidate{bias: 1, bold: 0.04}, 0},
	} {
		if got := test.c.worth(); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v is worth %v, must be %v", test.c, got, test.want)
		}
		if plain := (candidate{bias: 1, visits: test.c.visits, sum: test.c.sum, draw: test.c.draw}); test.c.value() != plain.value() {
			t.Errorf("%+v: playouts say %v, must be %v", test.c, test.c.value(), plain.value())
		}
	}
}
