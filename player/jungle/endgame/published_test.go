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

// published are rules of endings, as they differ.
type published struct {
	anyTrap            bool // a piece on a trap is weak, whosever trap it is; else only on one beside the attacker's den
	elephantTakesRat   bool // everywhere; else on a trap only
	ratLeavesWaterOver bool // a rat that comes out of the water takes a rat
	stuckLoses         bool // else who cannot move has drawn
	weakOnTrap         bool // an attacker on a trap has no strength
}

var (
	vanRijnVis = published{elephantTakesRat: true, ratLeavesWaterOver: true}
	referee    = published{anyTrap: true, stuckLoses: true}
	statement  = published{anyTrap: true, stuckLoses: true, weakOnTrap: true}
)

// Squares are file + 7·rank from white's side, and white is 0. A man is a side and a strength from 1, the rat.
type man struct{ side, strength int }

const (
	publishedSquares = 63
	elephantStrength = 8
	longestPublished = 120 // plies
)

func wet(sq int) bool {
	file, rank := sq%7, sq/7
	return rank >= 3 && rank <= 5 && file != 0 && file != 3 && file != 6
}

func denOf(side int) int { return 3 + side*56 }

// trapOf says whether a square is a trap beside a side's den.
func trapOf(side, sq int) bool {
	if side == 1 {
		sq = publishedSquares - 1 - sq
	}
	return sq == 2 || sq == 4 || sq == 10
}

func (r *published) takes(a man, from int, d man, to int) bool {
	rat := a.strength == 1
	if r.elephantTakesRat && a.strength == elephantStrength && d.strength == 1 {
		return true
	}
	weak := trapOf(a.side, to) || r.anyTrap && trapOf(d.side, to)
	switch {
	case rat && wet(from) && !wet(to):
		return r.ratLeavesWaterOver && d.strength == 1
	case rat && !wet(from) && wet(to):
		return true
	case weak:
		return true
	case rat && d.strength == elephantStrength:
		return true
	case a.strength == elephantStrength && d.strength == 1:
		return false
	case r.weakOnTrap && (trapOf(0, from) || trapOf(1, from)):
		return false
	}
	return a.strength >= d.strength
}

// set is the men of an ending by their order; at are their squares.
type set struct {
	n   int
	men [3]man
}

type at [3]int

func (s *set) index(sq at) (i int) {
	for k := range s.n {
		i = i*publishedSquares + sq[k]
	}
	return i
}

// possible says whether the men can stand so.
func (s *set) possible(sq at) bool {
	for k := range s.n {
		if sq[k] == denOf(0) || sq[k] == denOf(1) || s.men[k].strength != 1 && wet(sq[k]) {
			return false
		}
		for j := range k {
			if sq[j] == sq[k] {
				return false
			}
		}
	}
	return true
}

func (s *set) without(k int, sq at) (set, at) {
	rest, squares := set{n: s.n - 1}, at{}
	for j, n := 0, 0; j < s.n; j++ {
		if j != k {
			rest.men[n], squares[n] = s.men[j], sq[j]
			n++
		}
	}
	return rest, squares
}

// publishedLibrary are the values of sets of men, by the mover: as in ending, n > 0 is won in n plies, n < 0 lost in −n − 1, and 0 is
// drawn.
type publishedLibrary struct {
	rules published
	of    map[set]*[2][]int8
}

// value is that of a position for the mover; who has nobody has lost.
func (l *publishedLibrary) value(s set, sq at, mover int) int8 {
	alone := true
	for k := range s.n {
		if s.men[k].side == mover {
			alone = false
		}
	}
	if alone {
		return -1
	}
	return l.solved(s)[mover][s.index(sq)]
}

// each calls found with the value for the enemy of every position that a move leads to; a den that is entered is
// a loss at once.
func (l *publishedLibrary) each(s *set, own *[2][]int8, sq at, mover int, found func(enemy int8)) {
	for k := range s.n {
		if s.men[k].side != mover {
			continue
		}
		for _, step := range [4][2]int{{-1, 0}, {1, 0}, {0, 1}, {0, -1}} {
			to, ok := s.step(sq, k, step[0], step[1])
			if !ok || to == denOf(mover) {
				continue
			}
			if to == denOf(1-mover) {
				found(-1)
				continue
			}
			victim := -1
			for j := range s.n {
				if j != k && sq[j] == to {
					victim = j
				}
			}
			next := sq
			next[k] = to
			switch {
			case victim < 0:
				found(own[1-mover][s.index(next)])
			case s.men[victim].side != mover && l.rules.takes(s.men[k], sq[k], s.men[victim], to):
				rest, squares := s.without(victim, next)
				found(l.value(rest, squares, 1-mover))
			}
		}
	}
}

// step is where a man comes in a direction, over the water if it can jump and nobody is in the way.
func (s *set) step(sq at, k, df, dr int) (to int, ok bool) {
	file, rank := sq[k]%7, sq[k]/7
	jumps := s.men[k].strength == 6 || s.men[k].strength == 7
	for {
		file, rank = file+df, rank+dr
		if file < 0 || file > 6 || rank < 0 || rank > 8 {
			return 0, false
		}
		to = file + 7*rank
		if !wet(to) || s.men[k].strength == 1 {
			return to, true
		}
		if !jumps {
			return 0, false
		}
		for j := range s.n {
			if sq[j] == to {
				return 0, false
			}
		}
	}
}

// solved works a set out backwards, round by round.
func (l *publishedLibrary) solved(s set) *[2][]int8 {
	if known, ok := l.of[s]; ok {
		return known
	}
	size := 1
	for range s.n {
		size *= publishedSquares
	}
	values := &[2][]int8{make([]int8, size), make([]int8, size)}
	type position struct {
		sq    at
		mover int
	}
	var open []position
	for i := range size {
		var sq at
		for k, rest := s.n-1, i; k >= 0; k, rest = k-1, rest/publishedSquares {
			sq[k] = rest % publishedSquares
		}
		if s.possible(sq) {
			open = append(open, position{sq, 0}, position{sq, 1})
		}
	}
	// What captures lead to ends within 34 plies, so that after 80 only what is new can decide more.
	for n, idle := 0, 0; n <= longestPublished && (idle < 2 || n < 80); n++ {
		idle++
		left := open[:0]
		for _, p := range open {
			count, lost, wins := 0, 0, false
			l.each(&s, values, p.sq, p.mover, func(enemy int8) {
				count++
				if enemy < 0 && int(-enemy)-1 < n {
					wins = true
				}
				if enemy > 0 && int(enemy) < n {
					lost++
				}
			})
			value := int8(0)
			switch {
			case wins:
				value = int8(n)
			case count == 0 && !l.rules.stuckLoses:
				continue // drawn, for good
			case lost == count && n%2 == 0: // of a first round without moves, too
				value = -int8(n) - 1
			}
			if value == 0 {
				left = append(left, p)
				continue
			}
			values[p.mover][s.index(p.sq)] = value
			idle = 0
		}
		open = left
	}
	l.of[s] = values
	return values
}

// totals are a published row: what becomes of the mover.
type totals struct{ positions, wins, losses, draws, longest int }

// count adds the positions of a set with a mover; with stuck, those count in which it has no move.
func (l *publishedLibrary) count(t *totals, s set, mover int, stuck bool) {
	values := l.solved(s)
	for i, value := range values[mover] {
		var sq at
		for k, rest := s.n-1, i; k >= 0; k, rest = k-1, rest/publishedSquares {
			sq[k] = rest % publishedSquares
		}
		if !s.possible(sq) {
			continue
		}
		if !stuck {
			moves := 0
			l.each(&s, values, sq, mover, func(int8) { moves++ })
			if moves == 0 {
				continue
			}
		}
		t.positions++
		switch {
		case value > 0:
			t.wins++
			t.longest = max(t.longest, int(value))
		case value < 0:
			t.losses++
			t.longest = max(t.longest, -int(value)-1)
		default:
			t.draws++
		}
	}
}

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
