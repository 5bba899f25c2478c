package gastank

import (
	"iter"
	"math/bits"

	"luzhanqi/game"
)

// A square's number is its file (A = 0) plus eight times its rank less one, in player 1's frame: A1
// is 0, H1 is 7 and H7 is 55.
const (
	// Files and Ranks are the size of the board.
	Files       = 8
	Ranks       = 7
	squareCount = Files * Ranks
)

// Mirror returns the square of the same file with the ranks counted from the other side: A1 becomes
// A7. The initial position is mirrored so, not turned.
func Mirror(sq game.Square) game.Square {
	if sq >= squareCount {
		return sq
	}
	return (Ranks-1-sq/Files)*Files + sq%Files
}

// MirrorMove mirrors both squares.
func MirrorMove(m game.Move) game.Move { return game.Move{From: Mirror(m.From), To: Mirror(m.To)} }

// framed returns the move as someone sees it for whom side's men start on ranks 1 and 2.
func InFrame(m game.Move, side game.Side) game.Move {
	if side == game.Second {
		return MirrorMove(m)
	}
	return m
}

// Squares is a set of squares: bit n stands for square n. Bits 56 to 63 are always zero.
type Squares uint64

// Bit returns the set of one square.
func Bit(sq game.Square) Squares { return 1 << (sq & 63) }

// Has says whether sq is in the set.
func (s Squares) Has(sq game.Square) bool { return s>>(sq&63)&1 != 0 }

// Len returns the number of squares in the set.
func (s Squares) Len() int { return bits.OnesCount64(uint64(s)) }

// First returns the square with the lowest number; the set must not be empty.
func (s Squares) First() game.Square { return game.Square(bits.TrailingZeros64(uint64(s))) }

// All yields the squares in ascending order.
func (s Squares) All() iter.Seq[game.Square] {
	return func(yield func(game.Square) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.First()) {
				return
			}
		}
	}
}

// mirror turns rank 1 into rank 7: a rank is a byte, and the eighth is always empty.
func (s Squares) mirror() Squares { return Squares(bits.ReverseBytes64(uint64(s)) >> Files) }
