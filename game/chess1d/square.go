package chess1d

import (
	"luzhanqi/game"
)

// Size is the number of squares. Square 0 is at player 1's end of the board.
const Size = 15

// Turn returns the square as the other side counts it.
func Turn(sq game.Square) game.Square { return Size - 1 - sq }

// TurnMove returns the same move in the other side's frame.
func TurnMove(m game.Move) game.Move { return game.Move{From: Turn(m.From), To: Turn(m.To)} }

// Squares is a set of squares: bit n stands for square n.
type Squares uint16

// Bit returns the set of one square.
func Bit(sq game.Square) Squares { return 1 << (sq & 15) }

// Has says whether sq is in the set.
func (s Squares) Has(sq game.Square) bool { return s>>(sq&15)&1 != 0 }
