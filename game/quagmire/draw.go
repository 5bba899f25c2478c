package quagmire

import (
	"strings"

	"luzhanqi/game"
)

const (
	header = " a b c d e f g h\n"
	rule   = "+-+-+-+-+-+-+-+-+\n"
)

// colors are those of the pieces.
var colors = map[byte]string{'O': "\x1b[1;34m", 'X': "\x1b[1;31m"}

// Draw pictures the board as the game's author drew it: 18 lines, O below. With neither colour nor
// last move it is his, byte for byte. A last move is marked in reverse video; without colour, the
// square that was left is ":" and the piece that moved is a small letter.
func (b *Board) Draw(style game.DrawStyle) string {
	var s strings.Builder
	s.WriteString(header + rule)
	for row := columns - 1; row >= 0; row-- {
		s.WriteByte('|')
		for column := range columns {
			s.WriteString(b.drawSquare(game.Square(row*columns+column), style) + "|")
		}
		s.WriteString(" " + string(rune('1'+row)) + "\n" + rule)
	}
	return s.String()
}

func (b *Board) drawSquare(sq game.Square, style game.DrawStyle) string {
	letter, code := b.letterAt(sq), ""
	if style.Color {
		code = colors[letter]
	}
	if style.Marks(sq) {
		switch code += game.PaintLast; {
		case style.Color:
		case letter == '.':
			letter = ':'
		default:
			letter |= 0x20 // a small letter
		}
	}
	return style.Paint(code, string(rune(letter)))
}
