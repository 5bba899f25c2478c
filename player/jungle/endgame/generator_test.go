package endgame

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
