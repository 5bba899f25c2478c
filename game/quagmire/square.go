package quagmire

import (
	"iter"
	"math/bits"

	"luzhanqi/game"
)

// A square's number is its column (a = 0) plus eight times its row less one: a1 is 0, h1 is 7 and
// h8 is 63. Both sides see the board so.
const (
	columns     = 8
	squareCount = 64
)

// NoSquare stands for no square, where a square may be missing.
const NoSquare game.Square = squareCount

// Squares is a set of squares: bit n stands for square n.
type Squares uint64

// Bit returns the set of one square; it is empty for NoSquare.
func Bit(sq game.Square) Squares { return 1 << sq }

// Has says whether sq is in the set.
func (s Squares) Has(sq game.Square) bool { return s>>sq&1 != 0 }

// Len returns the number of squares in the set.
func (s Squares) Len() int { return bits.OnesCount64(uint64(s)) }

// First returns the square with the lowest number; NoSquare if the set is empty.
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

const (
	columnA Squares = 0x0101010101010101
	columnH Squares = columnA << 7
	row1    Squares = 0xff
	row8    Squares = row1 << 56
)

// Around returns the set with all squares that touch it, diagonally too.
func (s Squares) Around() Squares {
	row := s | s<<1&^columnA | s>>1&^columnH
	return row | row<<8 | row>>8
}
