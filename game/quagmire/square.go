package quagmire

import (
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

// Squares is a set of squares.
type Squares = game.Squares

// Bit returns the set of one square; it is empty for NoSquare.
func Bit(sq game.Square) Squares { return 1 << sq }

const (
	columnA Squares = 0x0101010101010101
	columnH Squares = columnA << 7
	row1    Squares = 0xff
	row8    Squares = row1 << 56
)

// Around returns the set with all squares that touch it, diagonally too.
func Around(s Squares) Squares {
	row := s | s<<1&^columnA | s>>1&^columnH
	return row | row<<8 | row>>8
}
