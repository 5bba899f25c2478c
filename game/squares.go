package game

import (
	"iter"
	"math/bits"
)

// Squares is a set of squares of a board of up to 64: bit n stands for square n.
type Squares uint64

// Has says whether sq, a square below 64, is in the set.
func (s Squares) Has(sq Square) bool { return s>>(sq&63)&1 != 0 }

// Len returns the number of squares in the set.
func (s Squares) Len() int { return bits.OnesCount64(uint64(s)) }

// First returns the square with the lowest number; 64 if the set is empty.
func (s Squares) First() Square { return Square(bits.TrailingZeros64(uint64(s))) }

// All yields the squares in ascending order.
func (s Squares) All() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.First()) {
				return
			}
		}
	}
}
