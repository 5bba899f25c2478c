package gastank

import (
	"strings"

	"luzhanqi/game"
)

// What paints the sides.
const (
	sideOne = "\x1b[1;33m"
	sideTwo = "\x1b[1;36m"
)

func (p Position) Draw(style game.DrawStyle) string {
	return Draw(p.board, game.First, [2]string{"player 1", "player 2"}, style)
}

// Draw pictures what the side sees: the board with the viewing side below.
func (v View) Draw(style game.DrawStyle) string {
	return Draw(v.board, v.side, [2]string{"you", "opponent"}, style)
}

// Draw pictures a board as the assignment shows it: rank 7 first, a letter and the gas for each piece,
// capitals for the side above, labelled axes, and labels for the lower and the upper side, in this
// order ("human" and "computer" there). It takes nine lines of at most 25 columns and the labels.
// The squares of the last move stand in brackets.
func Draw(b Board, below game.Side, labels [2]string, style game.DrawStyle) string {
	if below == game.Second {
		b, style = b.Mirror(), style.Turned(MirrorMove)
	}
	var s strings.Builder
	paint := func(code, text string) { s.WriteString(style.Paint(code, text)) }
	for rank := Ranks - 1; rank >= 0; rank-- {
		paint(game.PaintDim, string([]byte{'1' + byte(rank), ' '}))
		for file := range Files + 1 {
			paint(game.PaintDim, gap(rank, file, style))
			if file == Files {
				break
			}
			sq := game.Square(rank*Files + file)
			code := game.PaintDim
			if side, _, _, ok := b.At(sq); ok {
				code = [...]string{sideOne, sideTwo}[side]
			}
			paint(code, b.cell(sq))
		}
		switch rank {
		case 0:
			paint(game.PaintDim, " "+labels[0])
		case Ranks - 1:
			paint(game.PaintDim, " "+labels[1])
		}
		s.WriteByte('\n')
	}
	paint(game.PaintDim, "   -----------------------")
	s.WriteByte('\n')
	paint(game.PaintDim, "   A  B  C  D  E  F  G  H")
	s.WriteByte('\n')
	return trimLines(s.String())
}

// gap is the character before a cell, and after the last one: a blank or a bracket.
func gap(rank, file int, style game.DrawStyle) string {
	on := func(file int) bool {
		return file >= 0 && file < Files && style.Marks(game.Square(rank*Files+file))
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
