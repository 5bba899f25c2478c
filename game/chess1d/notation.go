package chess1d

import (
	"fmt"

	"luzhanqi/game"
)

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

// ParseBoard reads exactly fifteen characters. Each side may have at most one piece of each pair.
func ParseBoard(text string) (b Board, err error) {
	if len(text) != Size {
		return b, fmt.Errorf("board %.40q has %d characters, must have %d (blanks are squares)", text, len(text), Size)
	}
	var found [2][pairs]byte
	for n := range b {
		letter := text[n]
		b[n] = letter
		if letter == ' ' {
			continue
		}
		k, side, ok := kindOf(letter)
		if !ok {
			return b, fmt.Errorf("board %q: square %c holds %q: allowed are %s, the same as capitals, and blank",
				text, squareNames[n], letter, Letters)
		}
		if other := found[side][k/2]; other != 0 {
			return b, fmt.Errorf("board %q: player %v has both %c and %c, of which there is one in an army", text, side, other, letter)
		}
		found[side][k/2] = letter
	}
	return b, nil
}

// String writes the fifteen characters.
func (b Board) String() string { return string(b[:]) }
