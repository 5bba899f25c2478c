package luzhanqi

import (
	"fmt"
	"strings"

	"luzhanqi/game"
)

// Draw pictures the whole board, player 1 below. It takes 15 lines of 54 columns, Chinese
// characters being two columns wide.
func (p *Position) Draw(style game.DrawStyle) string { return p.board.draw(style) }

// Draw pictures what the side sees, itself below. Unknown enemy pieces show their backs.
func (v *View) Draw(style game.DrawStyle) string {
	if v.side == game.First {
		return v.board.draw(style)
	}
	turned := v.board.Turn()
	return turned.draw(style.Turned(TurnMove))
}

func (b *Board) draw(style game.DrawStyle) string {
	var s strings.Builder
	for row := rows - 1; row >= 0; row-- {
		fmt.Fprintf(&s, "%3d ", row+1)
		for column := range columns {
			sq := game.Square(row*columns + column)
			if column > 0 {
				link := "──"
				if railRows.Has(sq) {
					link = "══"
				}
				s.WriteString(style.Paint(game.PaintDim, link))
			}
			s.WriteString(b.drawSquare(sq, style))
		}
		s.WriteByte('\n')
		if row == rows/2 {
			s.WriteString(style.Paint(game.PaintDim, "         ║        山         ║        山         ║") + "\n")
		}
	}
	s.WriteString("   ")
	for column := range columns {
		fmt.Fprintf(&s, "     %c    ", 'A'+column)
	}
	s.WriteByte('\n')
	return s.String()
}

// drawSquare is a square in eight columns.
func (b *Board) drawSquare(sq game.Square, style game.DrawStyle) string {
	side, rank, ok := b.At(sq)
	code := [...]string{game.PaintFirst, game.PaintSecond}[side]
	switch marked := style.Marks(sq); {
	case ok && marked:
		return style.Paint(code, "»"+face(side, rank)+"«")
	case ok:
		return style.Paint(code, " "+face(side, rank)+" ")
	case marked:
		return style.Paint(game.PaintLast, "»"+ground(sq)+"«")
	}
	return style.Paint(game.PaintDim, " "+ground(sq)+" ")
}

// face is a piece in six columns: its Chinese name, its rank, and the way it marches.
func face(side game.Side, rank Rank) string {
	arrow := [...]string{"▲", "▼"}[side]
	if rank == None {
		return "？？?" + arrow
	}
	return rank.Chinese() + string(rank.Letter()) + arrow
}

// ground is an empty square in six columns.
func ground(sq game.Square) string {
	switch {
	case Camps.Has(sq):
		return "( 營 )"
	case Headquarters.Has(sq):
		return "[大營]"
	case Railway.Has(sq):
		return "──╬╬──"
	}
	return "  ··  "
}
