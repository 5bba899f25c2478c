package gastank

import (
	"strings"

	"luzhanqi/game"
)

// What paints a board: the sides, empty squares and labels.
const (
	sideOne = "\x1b[1;33m"
	sideTwo = "\x1b[1;36m"
	dim     = "\x1b[2m"
	plain   = "\x1b[0m"
)

// Draw pictures the whole board, player 1 below.
func (p Position) Draw(style game.DrawStyle) string {
	return Draw(p.board, [2]string{"player 1", "player 2"}, style)
}

// Draw pictures what the side sees: the board with the viewing side below.
func (v View) Draw(style game.DrawStyle) string {
	board := v.position.board
	if v.side == game.Second {
		board, style = mirrored(board, style)
	}
	return Draw(board, [2]string{"you", "opponent"}, style)
}

// DrawMirrored is Draw with the ranks counted from the other end and the sides swapped: player 2 is
// drawn below, in small letters. The labels are again those of the lower and of the upper edge.
func DrawMirrored(b Board, labels [2]string, style game.DrawStyle) string {
	b, style = mirrored(b, style)
	return Draw(b, labels, style)
}

func mirrored(b Board, style game.DrawStyle) (Board, game.DrawStyle) {
	if style.Last != nil {
		last := MirrorMove(*style.Last)
		style.Last = &last
	}
	return b.Mirror(), style
}

// Draw pictures a board as the assignment shows it: rank 7 first, a letter and the gas for each piece,
// capitals for player 2 above, labelled axes, and labels for the lower and the upper side, in this
// order ("human" and "computer" there). It takes nine lines of at most 25 columns and the labels.
// The squares of the last move stand in brackets.
func Draw(b Board, labels [2]string, style game.DrawStyle) string {
	var s strings.Builder
	paint := func(code, text string) {
		if style.Color {
			text = code + text + plain
		}
		s.WriteString(text)
	}
	for rank := Ranks - 1; rank >= 0; rank-- {
		paint(dim, string([]byte{'1' + byte(rank), ' '}))
		for file := range Files + 1 {
			paint(dim, gap(rank, file, style.Last))
			if file == Files {
				break
			}
			sq := game.Square(rank*Files + file)
			code := dim
			if side, _, _, ok := b.At(sq); ok {
				code = [...]string{sideOne, sideTwo}[side]
			}
			paint(code, b.cell(sq))
		}
		switch rank {
		case 0:
			paint(dim, " "+labels[0])
		case Ranks - 1:
			paint(dim, " "+labels[1])
		}
		s.WriteByte('\n')
	}
	paint(dim, "   -----------------------")
	s.WriteByte('\n')
	paint(dim, "   A  B  C  D  E  F  G  H")
	s.WriteByte('\n')
	return trimLines(s.String())
}

// gap is what stands before a cell, and after the last one: a blank or a bracket.
func gap(rank, file int, last *game.Move) string {
	if last == nil {
		return " "
	}
	on := func(file int) bool {
		sq := game.Square(rank*Files + file)
		return file >= 0 && file < Files && (sq == last.From || sq == last.To)
	}
	switch {
	case on(file):
		return "["
	case on(file - 1):
		return "]"
	}
	return " "
}

// trimLines removes blanks at the ends of lines.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
