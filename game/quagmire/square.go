package quagmire

import (
	"fmt"
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

// SquareName writes a square as the drawn board names it, such as c2.
func SquareName(sq game.Square) string {
	if sq >= squareCount {
		return fmt.Sprintf("square(%d)", uint8(sq))
	}
	return string([]byte{'a' + byte(sq%columns), '1' + byte(sq/columns)})
}

// ParseSquare reads a1 to h8; the letter may be a capital.
func ParseSquare(text string) (game.Square, error) {
	if len(text) == 2 {
		if sq, ok := squareAt(text[0], text[1]); ok {
			return sq, nil
		}
	}
	return NoSquare, fmt.Errorf("square %s: allowed are a1 to h8", quoted(text))
}

// squareAt is the square of a column's letter and a row's digit.
func squareAt(letter, digit byte) (game.Square, bool) {
	column, row := letter|0x20-'a', digit-'1' // bytes wrap, so what is below is far above
	if column >= columns || row >= columns {
		return NoSquare, false
	}
	return game.Square(row*columns + column), true
}

// MoveName writes a move, such as "c2 c4".
func MoveName(m game.Move) string { return SquareName(m.From) + " " + SquareName(m.To) }

// quoted cuts what was found to what an error can show.
func quoted(text string) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

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

// names lists the squares, such as c2 and f5, in the order of their numbers.
func (s Squares) names() []string {
	names := []string{}
	for sq := range s.All() {
		names = append(names, SquareName(sq))
	}
	return names
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
