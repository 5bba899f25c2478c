package quagmire

import (
	"strings"

	"luzhanqi/game"
)

// Draw pictures the board as Board.Draw does.
func (p *Position) Draw(style game.DrawStyle) string { return p.board.Draw(style) }

// Draw pictures the board as Board.Draw does; both sides see it alike.
func (v *View) Draw(style game.DrawStyle) string { return v.position.board.Draw(style) }

const (
	header = " a b c d e f g h\n"
	rule   = "+-+-+-+-+-+-+-+-+\n"
)

// Colours of the pieces and of the last move.
const (
	colorO    = "\x1b[1;34m"
	colorX    = "\x1b[1;31m"
	colorLast = "\x1b[7m"
	colorOff  = "\x1b[0m"
)

// Draw pictures the board as the game's author drew it: 18 lines, O below. With neither colour nor
// last move it is his, byte for byte. A last move is marked in reverse video; without colour, the
// square that was left is ":" and the piece that moved is a small letter.
func (b *Board) Draw(style game.DrawStyle) string {
	var s strings.Builder
	s.WriteString(header + rule)
	for row := columns - 1; row >= 0; row-- {
		s.WriteByte('|')
		for column := range columns {
			b.drawSquare(&s, game.Square(row*columns+column), style)
			s.WriteByte('|')
		}
		s.WriteString(" " + string(rune('1'+row)) + "\n" + rule)
	}
	return s.String()
}

func (b *Board) drawSquare(s *strings.Builder, sq game.Square, style game.DrawStyle) {
	letter := b.letterAt(sq)
	last := style.Last != nil && (sq == style.Last.From || sq == style.Last.To)
	if !style.Color {
		if last && letter == '.' {
			letter = ':'
		} else if last {
			letter |= 0x20 // a small letter
		}
		s.WriteByte(letter)
		return
	}
	code := map[byte]string{'O': colorO, 'X': colorX}[letter]
	if last {
		code += colorLast
	}
	if code == "" {
		s.WriteByte(letter)
		return
	}
	s.WriteString(code + string(rune(letter)) + colorOff)
}
