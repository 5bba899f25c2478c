package chess1d

import (
	"strings"

	"luzhanqi/game"
)

// Draw pictures the whole board, player 1 on the left.
func (p *Position) Draw(style game.DrawStyle) string { return p.board.draw(style, game.First) }

// The colours of the two sides, and what marks the last move.
const (
	sideOne  = "\x1b[1;37;41m"
	sideTwo  = "\x1b[1;37;44m"
	lastMove = "\x1b[7m"
	dim      = "\x1b[2m"
	plain    = "\x1b[0m"
)

// draw pictures the board in five lines of 61 columns. Small letters go right, capitals left; left
// is the side whose letters are small.
func (b *Board) draw(style game.DrawStyle, left game.Side) string {
	var s strings.Builder
	paint := func(code, text string) {
		if style.Color && code != "" {
			text = code + text + plain
		}
		s.WriteString(text)
	}
	rule := func(begin, middle, end string) {
		paint(dim, begin+strings.Repeat("───"+middle, Size-1)+"───"+end)
		s.WriteByte('\n')
	}
	rule("┌", "┬", "┐")
	for n, letter := range b {
		paint(dim, "│")
		before, after, code := " ", " ", ""
		if _, side, ok := kindOf(letter); ok {
			code = [...]string{sideOne, sideTwo}[side^left]
		}
		if style.Last != nil && (game.Square(n) == style.Last.From || game.Square(n) == style.Last.To) {
			before, after = "»", "«"
			if code == "" {
				code = lastMove
			}
		}
		paint(code, before+string(rune(letter))+after)
	}
	paint(dim, "│")
	s.WriteByte('\n')
	rule("└", "┴", "┘")
	for n := range Size {
		s.WriteString("  " + SquareName(game.Square(n)) + " ")
	}
	s.WriteString("\n")
	s.WriteString("  player " + left.String() + " → small letters" + strings.Repeat(" ", 17) + "capitals ← player " + left.Other().String() + "\n")
	return s.String()
}
