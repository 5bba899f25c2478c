package chess1d

import (
	"strings"

	"luzhanqi/game"
)

// Draw pictures the whole board, player 1 on the left.
func (p *Position) Draw(style game.DrawStyle) string { return p.board.draw(style, game.First) }

// draw pictures the board in five lines of 61 columns. Small letters go right, capitals left; left
// is the side whose letters are small.
func (b *Board) draw(style game.DrawStyle, left game.Side) string {
	var s strings.Builder
	paint := func(code, text string) { s.WriteString(style.Paint(code, text)) }
	rule := func(begin, middle, end string) {
		paint(game.PaintDim, begin+strings.Repeat("───"+middle, Size-1)+"───"+end)
		s.WriteByte('\n')
	}
	rule("┌", "┬", "┐")
	for n, letter := range b {
		paint(game.PaintDim, "│")
		before, after, code := " ", " ", ""
		if _, side, ok := kindOf(letter); ok {
			code = [...]string{game.PaintFirst, game.PaintSecond}[side^left]
		}
		if style.Marks(game.Square(n)) {
			before, after = "»", "«"
			if code == "" {
				code = game.PaintLast
			}
		}
		paint(code, before+string(rune(letter))+after)
	}
	paint(game.PaintDim, "│")
	s.WriteByte('\n')
	rule("└", "┴", "┘")
	for n := range Size {
		s.WriteString("  " + SquareName(game.Square(n)) + " ")
	}
	s.WriteString("\n")
	s.WriteString("  player " + left.String() + " → small letters" + strings.Repeat(" ", 17) + "capitals ← player " + left.Other().String() + "\n")
	return s.String()
}
