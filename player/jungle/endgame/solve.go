package endgame

import (
	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// longest is the most plies that a win is looked for; none takes half as many.
const longest = 125

// follow are the positions that a mover can reach, as states: four moves at most.
type follow struct {
	to    [4]uint16
	count uint8
}

// solve works backwards from the ends: what can reach a lost position is won, and what can reach won
// ones only is lost. Each round adds the positions that end a ply later.
func solve(r jungle.Reading, red, blue jungle.Kind) *ending {
	e, follows, open := begin(r, red, blue)
	for n, idle := int8(1), 0; n <= longest && idle < 2; n++ {
		idle++
		for side := range open {
			left := open[side][:0]
			for _, at := range open[side] {
				value := judge(follows[side][at], &e[side^1], n)
				if value == 0 {
					left = append(left, at)
					continue
				}
				e[side][at] = value
				idle = 0
			}
			open[side] = left
		}
	}
	return e
}

// judge is the value of a position that is not decided in fewer than n plies, or zero if n do not
// decide it either. The enemy's wins take an odd number of plies and its losses an even one, so
// what this round has found does not disturb it.
func judge(f follow, enemy *[64 * 64]int8, n int8) int8 {
	if n%2 == 1 {
		for _, to := range f.to[:f.count] {
			if enemy[to] < 0 {
				return n
			}
		}
		return 0
	}
	for _, to := range f.to[:f.count] {
		if enemy[to] <= 0 {
			return 0
		}
	}
	return -n - 1
}

// begin finds the moves of all positions, decides those that the next move ends, or that have none,
// and leaves the others open. A capture leaves the enemy without a piece, so without a move.
func begin(r jungle.Reading, red, blue jungle.Kind) (e *ending, follows [2][]follow, open [2][]uint16) {
	e = &ending{}
	var room [jungle.MaxMoves]game.Move
	for side := range game.Side(2) {
		follows[side] = make([]follow, len(e[side]))
		for at := range e[side] {
			b, ok := place(r, red, blue, at)
			if !ok {
				continue
			}
			f := &follows[side][at]
			e[side][at] = -1
			for _, m := range b.Moves(side, room[:0]) {
				if m.To == jungle.Den(side.Other()) || b.Occupied().Has(m.To) {
					e[side][at] = 1
					break
				}
				e[side][at] = 0
				next := b.Play(m)
				f.to[f.count] = uint16(state(next.Square(game.First, red), next.Square(game.Second, blue)))
				f.count++
			}
			if e[side][at] == 0 {
				open[side] = append(open[side], uint16(at))
			}
		}
	}
	return e, follows, open
}

// place puts two animals on the board; false where they cannot stand, or where the game is over.
func place(r jungle.Reading, red, blue jungle.Kind, at int) (b jungle.Board, ok bool) {
	squares := [2]game.Square{game.Square(at >> 6), game.Square(at & 63)}
	if squares[0] == squares[1] {
		return b, false
	}
	b = jungle.Empty(r)
	for side, k := range [2]jungle.Kind{red, blue} {
		sq := squares[side]
		if sq == jungle.Gone || sq == jungle.RedDen || sq == jungle.BlueDen || k != jungle.Rat && jungle.Water.Has(sq) {
			return b, false
		}
		b.Put(sq, game.Side(side), k)
	}
	return b, true
}
