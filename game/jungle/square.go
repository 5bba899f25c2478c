package jungle

import (
	"luzhanqi/game"
)

// A square's number is its x plus seven times its y: "0 0", top left, is 0 and "6 8" is 62. Both
// sides call the squares by the same names.
const (
	columns     = 7
	rows        = 9
	squareCount = columns * rows
)

// Gone is where a captured piece stands: no square.
const Gone game.Square = 63

// At returns the square "x y"; x is 0 to 6, y is 0 to 8.
func At(x, y int) game.Square { return game.Square(y*columns + x) }

// XY returns a square's column from the left and row from the top.
func XY(sq game.Square) (x, y int) { return int(sq) % columns, int(sq) / columns }

// Squares is a set of squares. Bit 63 is always zero.
type Squares = game.Squares

// Bit returns the set of one square; Gone gives the empty set.
func Bit(sq game.Square) Squares { return 1 << (sq & 63) & EverySquare }

// The special squares.
const (
	EverySquare Squares = 1<<squareCount - 1

	waterRow         = 1<<1 | 1<<2 | 1<<4 | 1<<5
	Water    Squares = waterRow<<(3*columns) | waterRow<<(4*columns) | waterRow<<(5*columns)

	Traps Squares = 1<<2 | 1<<4 | 1<<(columns+3) | 1<<(7*columns+3) | 1<<(8*columns+2) | 1<<(8*columns+4)

	RedDen  game.Square = 8*columns + 3 // "3 8"
	BlueDen game.Square = 3             // "3 0"
)

// Den returns the den of a side, which the other side wants to enter.
func Den(side game.Side) game.Square {
	if side == game.First {
		return RedDen
	}
	return BlueDen
}
