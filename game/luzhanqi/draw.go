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
	if style.Last != nil {
		last := TurnMove(*style.Last)
		style.Last = &last
	}
	return turned.draw(style)
}

// The colours of Chinese army chess sets, and what marks the last move.
const (
	sideOne  = "\x1b[1;37;41m"
	sideTwo  = "\x1b[1;37;44m"
	lastMove = "\x1b[7m"
	dim      = "\x1b[2m"
	plain    = "\x1b[0m"
)

func (b *Board) draw(style game.DrawStyle) string {
	var s strings.Builder
	paint := func(code, text string) {
		if style.Color {
			text = code + text + plain
		}
		s.WriteString(text)
	}
	for row := rows - 1; row >= 0; row-- {
		fmt.Fprintf(&s, "%3d ", row+1)
		for column := range columns {
			sq := game.Square(row*columns + column)
			if column > 0 {
				link := "──"
				if railRows.Has(sq) {
					link = "══"
				}
				paint(dim, link)
			}
			marked := style.Last != nil && (sq == style.Last.From || sq == style.Last.To)
			side, rank, ok := b.At(sq)
			switch {
			case ok:
				code := sideOne
				if side == game.Second {
					code = sideTwo
				}
				before, after := " ", " "
				if marked {
					before, after = "»", "«"
				}
				paint(code, before+face(side, rank)+after)
			case marked:
				paint(lastMove, " "+ground(sq)+" ")
			default:
				paint(dim, " "+ground(sq)+" ")
			}
		}
		s.WriteByte('\n')
		if row == rows/2 {
			paint(dim, "         ║        山         ║        山         ║")
			s.WriteByte('\n')
		}
	}
	s.WriteString("   ")
	for column := range columns {
		fmt.Fprintf(&s, "     %c    ", 'A'+column)
	}
	s.WriteByte('\n')
	return s.String()
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
