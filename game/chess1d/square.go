package chess1d

import (
	"fmt"

	"luzhanqi/game"
)

// Size is the number of squares. Square 0 is at player 1's end of the board.
const Size = 15

const squareNames = "0123456789abcde"

// SquareName writes a square as a hexadecimal digit.
func SquareName(sq game.Square) string {
	if sq >= Size {
		return fmt.Sprintf("square(%d)", uint8(sq))
	}
	return squareNames[sq : sq+1]
}

// MoveName writes a move as programs do, such as "24".
func MoveName(m game.Move) string { return SquareName(m.From) + SquareName(m.To) }

// parseSquare reads one of the digits 0 to 9 and a to e.
func parseSquare(digit byte) (game.Square, bool) {
	switch {
	case digit >= '0' && digit <= '9':
		return game.Square(digit - '0'), true
	case digit >= 'a' && digit <= 'e':
		return game.Square(digit - 'a' + 10), true
	}
	return 0, false
}

// parseMove reads what MoveName writes.
func parseMove(text string) (m game.Move, ok bool) {
	if len(text) != 2 {
		return m, false
	}
	from, ok1 := parseSquare(text[0])
	to, ok2 := parseSquare(text[1])
	return game.Move{From: from, To: to}, ok1 && ok2
}

// Turn returns the square as the other side counts it.
func Turn(sq game.Square) game.Square { return Size - 1 - sq }

// TurnMove returns the same move in the other side's frame.
func TurnMove(m game.Move) game.Move { return game.Move{From: Turn(m.From), To: Turn(m.To)} }
