package jungle

import (
	"fmt"
	"strings"

	"luzhanqi/game"
)

// What paints the ground.
const (
	water = "\x1b[36m"
	trap  = "\x1b[33m"
	den   = "\x1b[1m"
)

// draw pictures the board, red below, as both sides count its squares. It takes 11 lines of 46
// columns, Chinese characters being two columns wide.
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
			text, code := b.cell(At(x, y), style.Marks(At(x, y)))
			s.WriteString(style.Paint(code, text))
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
		code = [...]string{game.PaintFirst, game.PaintSecond}[side]
	} else if marked {
		code = game.PaintLast
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
	return " ", " ·· ", " ", game.PaintDim
}
