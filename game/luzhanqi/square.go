package luzhanqi

import (
	"math/bits"

	"luzhanqi/game"
)

// A square's number is its column (A = 0) plus five times its row less one, in player 1's frame:
// A1 is 0 and E12 is 59.
const (
	columns     = 5
	rows        = 12
	squareCount = columns * rows
)

// Turn returns the square's name in the other side's frame: the board turned by 180°.
func Turn(sq game.Square) game.Square { return squareCount - 1 - sq }

// inFrame returns a square of player 1's frame as side names it, and back.
func inFrame(sq game.Square, side game.Side) game.Square {
	if side == game.Second {
		return Turn(sq)
	}
	return sq
}

// TurnMove returns the same move in the other side's frame.
func TurnMove(m game.Move) game.Move { return game.Move{From: Turn(m.From), To: Turn(m.To)} }

// Squares is a set of squares. Bits 60 to 63 are always zero.
type Squares = game.Squares

// Bit returns the set of one square.
func Bit(sq game.Square) Squares { return 1 << (sq & 63) }

// TurnSquares returns the set in the other side's frame.
func TurnSquares(s Squares) Squares { return Squares(bits.Reverse64(uint64(s)) >> 4) }

// HalfOf is the half in which a side sets up, in player 1's frame: rows 1 to 6, or 7 to 12.
func HalfOf(side game.Side) Squares {
	if side == game.Second {
		return TurnSquares(OwnHalf)
	}
	return OwnHalf
}

// Sets of squares that the rules name. They are constants, so that masks are immediate operands.
const (
	EverySquare Squares = 1<<squareCount - 1
	// OwnHalf is rows 1 to 6: the own half in any side's own frame.
	OwnHalf Squares = 1<<(squareCount/2) - 1
	// BackRows are the own rows 1 and 2, where alone landmines may be laid.
	BackRows Squares = row1 | row1<<columns
	// FrontRow is the own row 6, where no bomb may stand.
	FrontRow Squares = row1 << (5 * columns)
	// Camps are B3 D3 C4 B5 D5 and B8 D8 C9 B10 D10.
	Camps Squares = 1<<11 | 1<<13 | 1<<17 | 1<<21 | 1<<23 | 1<<36 | 1<<38 | 1<<42 | 1<<46 | 1<<48
	// Headquarters are B1 D1 and B12 D12.
	Headquarters Squares = 1<<1 | 1<<3 | 1<<56 | 1<<58
	// Railway are the squares that touch a railway edge.
	Railway Squares = railRows | railColumns

	row1        Squares = 1<<columns - 1
	columnA     Squares = 1 | 1<<5 | 1<<10 | 1<<15 | 1<<20 | 1<<25 | 1<<30 | 1<<35 | 1<<40 | 1<<45 | 1<<50 | 1<<55
	columnE     Squares = columnA << 4
	row2        Squares = row1 << (1 * columns)
	row11       Squares = row1 << (10 * columns)
	railRows    Squares = row2 | row1<<(5*columns) | row1<<(6*columns) | row11
	railColumns Squares = (columnA | columnE) &^ row1 &^ (row1 << (11 * columns))
	c6          Squares = 1 << 27
	c7          Squares = 1 << 32
)
