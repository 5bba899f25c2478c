package quagmire

import (
	"luzhanqi/game/quagmire"
)

// Weights are what was tuned by playing. Pieces with little room are weighed by the number of
// free squares around them: walls take room as pieces do.
type Weights struct {
	Free    [9]int32 // for a piece with so many free squares around it
	Lone    [4]int32 // more when an enemy is beside it and no own piece, which could make room
	Frozen  [4]int32 // more when it was moved last, so that it cannot leave
	Reached [4]int32 // more when an enemy is beside it and another can slide onto a free square
	Room    int32    // for each square that a side's pieces can slide to
	Stuck   int32    // for each piece in Quagmire of the side to move
}

var Defaults = Weights{
	Free:    [9]int32{-70, -48, -30, -18, -10, -5, -2, 0, 0},
	Lone:    [4]int32{0, -200, -100, -40},
	Frozen:  [4]int32{0, -80, -40, -16},
	Reached: [4]int32{0, -120, -50, -16},
	Room:    2, Stuck: -60,
}

func (t *tree) Evaluate() int32 {
	b := t.Board()
	w := t.weights
	own, enemy := b.Of(t.Mover()), b.Of(t.Mover().Other())
	empty := ^(own | enemy)
	reach, threat := slidesOf(own, empty), slidesOf(enemy, empty)
	score := w.judge(own, enemy, threat, quagmire.Bit(b.Last(t.Mover()))) -
		w.judge(enemy, own, reach, quagmire.Bit(b.Last(t.Mover().Other())))
	score += w.Room * int32(reach.Len()-threat.Len())
	if stuck := b.Quagmired(t.Mover()); stuck != 0 {
		score += w.Stuck * int32(stuck.Len())
	}
	return t.Faded(score)
}

// judge is how crowded the pieces in own are, when the enemy can slide to the squares in threat and
// the piece in last cannot move.
func (w *Weights) judge(own, enemy, threat, last quagmire.Squares) (score int32) {
	free := freeAround(^(own | enemy))
	for n, s := range free {
		if s &= own; s != 0 {
			score += w.Free[n] * int32(s.Len())
		}
	}
	tight := own & (free[0] | free[1] | free[2] | free[3]) & quagmire.Around(enemy)
	if tight == 0 {
		return score
	}
	lone := tight &^ neighbours(own)
	reached := tight & quagmire.Around(threat)
	for n := 1; n < 4; n++ {
		if s := free[n] & tight; s != 0 {
			score += w.Lone[n]*int32((s&lone).Len()) + w.Frozen[n]*int32((s&last).Len()) + w.Reached[n]*int32((s&reached).Len())
		}
	}
	return score
}

const (
	columnA quagmire.Squares = 0x0101010101010101
	columnH quagmire.Squares = columnA << 7
)

// neighbours are the squares beside any in s.
func neighbours(s quagmire.Squares) quagmire.Squares {
	sides := s<<1&^columnA | s>>1&^columnH
	row := s | sides
	return sides | row<<8 | row>>8
}

// freeAround is, by number, the squares with so many empty ones around. It counts for all squares at
// once: the empty squares shifted in each direction are added up, bit by bit of the sums.
func freeAround(empty quagmire.Squares) (count [9]quagmire.Squares) {
	west, east := empty<<1&^columnA, empty>>1&^columnH
	// three shifted copies give two bits each, the two of the own row another two
	low1, high1 := threeBits(west<<8, empty<<8, east<<8)
	low2, high2 := threeBits(west>>8, empty>>8, east>>8)
	low3, high3 := west^east, west&east
	ones, carry := threeBits(low1, low2, low3)
	t, u := threeBits(high1, high2, high3)
	twos := t ^ carry
	v := t & carry
	fours, eights := u^v, u&v
	for n := range count {
		s := ^quagmire.Squares(0)
		for bit, plane := range [4]quagmire.Squares{ones, twos, fours, eights} {
			if n>>bit&1 != 0 {
				s &= plane
			} else {
				s &^= plane
			}
		}
		count[n] = s
	}
	return count
}

// threeBits adds three one-bit numbers at every square.
func threeBits(a, b, c quagmire.Squares) (low, high quagmire.Squares) {
	x := a ^ b
	return x ^ c, a&b | x&c
}

// slidesOf is every empty square that a side can slide to, filled in all directions at once.
func slidesOf(own, empty quagmire.Squares) quagmire.Squares {
	west, east := empty&^columnA, empty&^columnH // can be entered from the west, from the east
	return (fillUp(own, west, 1) | fillDown(own, east, 1) | fillUp(own, empty, 8) | fillDown(own, empty, 8) |
		fillUp(own, west, 9) | fillDown(own, east, 9) | fillUp(own, east, 7) | fillDown(own, west, 7)) & empty
}

// fillUp slides every piece to higher squares, by so many at a step, over the open ones.
func fillUp(s, open quagmire.Squares, by uint) quagmire.Squares {
	s |= open & (s << by)
	open &= open << by
	s |= open & (s << (2 * by))
	open &= open << (2 * by)
	return s | open&(s<<(4*by))
}

func fillDown(s, open quagmire.Squares, by uint) quagmire.Squares {
	s |= open & (s >> by)
	open &= open >> by
	s |= open & (s >> (2 * by))
	open &= open >> (2 * by)
	return s | open&(s>>(4*by))
}
