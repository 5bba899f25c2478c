package endgame

import (
	"os"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// The endings of J. N. van Rijn and J. K. Vis ("Endgame Analysis of Dou Shou Qi", ICGA Journal 2014, arXiv 1604.07312) are of
// other rules than ours. So a second generator, which shares nothing with the first, plays by either: by theirs it must
// find what they have published, by ours what the tables say. Their four pieces are 9.7 thousand million positions,
// too many to be worked out here.

// By the rules of van Rijn and Vis the generator finds their table of two pieces, and with LUZHANQI_NIGHTLY that of three. (That of three
// leaves out where the mover cannot move.)
func TestPublishedEndings(t *testing.T) {
	l := &publishedLibrary{rules: vanRijnVis, of: map[set]*[2][]int8{}}
	var two totals
	// Some pairs of strengths as the data set jungle_chess_2pcs_raw_endgame_complete (OpenML
	// 41027, 17 pairs, a row of one of which is missing) has them: won, lost and drawn.
	pairs := map[[2]int][3]int{{1, 1}: {2055, 1605, 0}, {1, 8}: {1565, 968, 407}, {7, 8}: {993, 775, 584}, {8, 7}: {1086, 634, 632}, {5, 7}: {749, 1532, 71}, {7, 6}: {1676, 542, 134}}
	for white := 1; white <= 8; white++ {
		for black := 1; black <= 8; black++ {
			var one totals
			s := set{2, [3]man{{0, white}, {1, black}}}
			l.count(&one, s, 0, true)
			if want, ok := pairs[[2]int{white, black}]; ok && want != [3]int{one.wins, one.losses, one.draws} {
				t.Errorf("strength %d and %d: %+v, published are %d", white, black, one, want)
			}
			two.add(one)
		}
	}
	if want := (totals{160_068, 82_852, 64_501, 12_715, 34}); two != want {
		t.Errorf("two pieces: %+v, published are %+v", two, want)
	}
	if os.Getenv("LUZHANQI_NIGHTLY") == "" {
		return
	}
	var three totals
	for a := 1; a <= 8; a++ {
		for b := a + 1; b <= 8; b++ {
			for c := 1; c <= 8; c++ {
				s := set{3, [3]man{{0, a}, {0, b}, {1, c}}}
				for mover := range 2 {
					var one totals
					l.count(&one, s, mover, false)
					three.add(one)
				}
				delete(l.of, s)
			}
		}
	}
	if want := (totals{54_354_684, 30_297_857, 23_369_820, 687_007, 67}); three != want {
		t.Errorf("three pieces: %+v, published are %+v", three, want)
	}
}

func (t *totals) add(one totals) {
	t.positions, t.wins, t.losses, t.draws = t.positions+one.positions, t.wins+one.wins, t.losses+one.losses, t.draws+one.draws
	t.longest = max(t.longest, one.longest)
}

// By our rules it finds what the tables say, in every position, by both readings.
func TestTablesAgreeWithSecondGenerator(t *testing.T) {
	strengths := [jungle.Kinds]int{
		jungle.Elephant: 8, jungle.Lion: 7, jungle.Tiger: 6, jungle.Panther: 5, jungle.Dog: 4, jungle.Wolf: 3, jungle.Cat: 2, jungle.Rat: 1,
	}
	for reading, rules := range map[jungle.Reading]published{jungle.Referee: referee, jungle.Statement: statement} {
		l := &publishedLibrary{rules: rules, of: map[set]*[2][]int8{}}
		var all totals
		for red := range jungle.Kind(jungle.Kinds) {
			for blue := range jungle.Kind(jungle.Kinds) {
				s := set{2, [3]man{{0, strengths[red]}, {1, strengths[blue]}}}
				l.count(&all, s, 0, true)
				values := l.solved(s)
				for i := range 64 * 64 {
					b, ok := place(reading, red, blue, i)
					if !ok {
						continue
					}
					var sq at
					for side, from := range [2]game.Square{game.Square(i >> 6), game.Square(i & 63)} {
						x, y := jungle.XY(from)
						sq[side] = x + 7*(8-y)
					}
					for mover := range game.Side(2) {
						value, plies, ok := Look(&b, mover)
						want := int8(value * plies)
						if value < 0 {
							want--
						}
						if got := values[mover][s.index(sq)]; !ok || got != want {
							t.Fatalf("reading %v, %s, %s to move: the table says %d in %d plies, the second generator %d", reading, b.String(), jungle.Color(mover), value, plies, got)
						}
					}
				}
			}
		}
		want := map[jungle.Reading]totals{jungle.Referee: {160_068, 85_524, 67_053, 7_491, 34}, jungle.Statement: {160_068, 86_132, 67_324, 6_612, 34}}[reading]
		if all != want {
			t.Errorf("reading %v: %+v, README.md of the game says %+v", reading, all, want)
		}
	}
}
