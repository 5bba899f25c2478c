package jungle

import (
	"fmt"
	"strings"

	"luzhanqi/game"
)

// Draw pictures the board, red below, as both sides count its squares. It takes 11 lines of 46
// columns, Chinese characters being two columns wide.
func (p *Position) Draw(style game.DrawStyle) string { return p.board.draw(style) }

// Draw pictures the board as Position.Draw does: nothing is hidden.
func (v *View) Draw(style game.DrawStyle) string { return v.position.board.draw(style) }

// The colors of the pieces, of the ground, and what marks the last move.
const (
	redPiece  = "\x1b[1;37;41m"
	bluePiece = "\x1b[1;37;44m"
	lastMove  = "\x1b[7m"
	water     = "\x1b[36m"
	trap      = "\x1b[33m"
	den       = "\x1b[1m"
	dim       = "\x1b[2m"
	plain     = "\x1b[0m"
)

func (b *Board) draw(style game.DrawStyle) string {
	var s strings.Builder
	ruler := "  "
	for x := range columns {
		ruler += fmt.Sprintf("   %d  ", x)
	}
	ruler = strings.TrimRight(ruler, " ") + "\n"
	s.WriteString(ruler)
	for y := range rows {
		fmt.Fprintf(&s, "%d ", y)
		for x := range columns {
			sq := At(x, y)
			marked := style.Last != nil && (sq == style.Last.From || sq == style.Last.To)
			text, code := b.cell(sq, marked)
			if style.Color {
				text = code + text + plain
			}
			s.WriteString(text)
		}
		fmt.Fprintf(&s, " %d\n", y)
	}
	s.WriteString(ruler)
	return s.String()
}

// cell is a square in six columns, and its color.
func (b *Board) cell(sq game.Square, marked bool) (text, code string) {
	before, center, after, code := ground(sq)
	if side, k, ok := b.At(sq); ok {
		center = chinese[k] + string(k.Letter(side)) + [...]string{"▲", "▼"}[side]
		code = [...]string{redPiece, bluePiece}[side]
	} else if marked {
		code = lastMove
	}
	if marked {
		before, after = "»", "«"
	}
	return before + center + after, code
}

// ground is an empty square: one column before, four in the middle, one after.
func ground(sq game.Square) (before, center, after, code string) {
	switch {
	case sq == RedDen || sq == BlueDen:
		return "[", "獸穴", "]", den
	case Traps.Has(sq):
		return "(", "陷阱", ")", trap
	case Water.Has(sq):
		return "~", "~~~~", "~", water
	}
	return " ", " ·· ", " ", dim
}
