package picture

import (
	"fmt"
	"strings"
)

// cell is the size of a square of a grid.
const cell = 56

// Cells is a board of equal squares, the first of them at (0, 0) above on the left, with room for labels at the left
// and below. Class names the style of a square; empty: it is not drawn.
func Cells(columns, rows int, class func(column, row int) string) *Board {
	const left, top, bottom = 24, 8, 24
	b := &Board{Width: columns*cell + 2*left, Height: rows*cell + top + bottom, Cell: [2]int{cell, cell}}
	b.Height += bottom - top // the same above and below, so that a turned board fits
	var s strings.Builder
	for row := range rows {
		for column := range columns {
			x, y := left+column*cell, bottom+row*cell
			if c := class(column, row); c != "" {
				fmt.Fprintf(&s, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`, c, x, y, cell, cell)
			}
		}
	}
	b.Ground = s.String()
	return b
}

// Middle is the middle of a square of [Cells].
func Middle(column, row int) (x, y int) { return 24 + column*cell + cell/2, 24 + row*cell + cell/2 }

// Columns and Rows label a board of [Cells] at its edges.
func (b *Board) Columns(names ...string) {
	for i, name := range names {
		x, _ := Middle(i, 0)
		b.Labels = append(b.Labels, Label{X: x, Y: b.Height - 11, Class: "coord", Text: name, Edge: 'y'})
	}
}

// Rows label the rows, the uppermost first.
func (b *Board) Rows(names ...string) {
	for i, name := range names {
		_, y := Middle(0, i)
		b.Labels = append(b.Labels, Label{X: 12, Y: y, Class: "coord", Text: name, Edge: 'x'})
	}
}

// Checkered names the squares of a chessboard, the one below on the left dark.
func Checkered(rows int) func(column, row int) string {
	return func(column, row int) string { return [...]string{"dark", "light"}[(column+rows-1-row)%2] }
}

// Disc is the shape of a round piece.
const Disc = `<circle class="tile" r="23"/>`

// Letters is the face of a piece that shows text, and below it something smaller.
func Letters(large, small string) string {
	s := fmt.Sprintf(`<text class="name">%s</text>`, Escape(large))
	if small != "" {
		s += fmt.Sprintf(`<text class="rank" x="15" y="15">%s</text>`, Escape(small))
	}
	return s
}

// Grid is the board of a game that says nothing of how it looks, and the pieces on it: each character of its drawing
// in text is a square.
func Grid(drawing string) (*Board, []Piece) {
	lines := strings.Split(strings.TrimRight(drawing, "\n"), "\n")
	columns := 1
	for _, line := range lines {
		columns = max(columns, len([]rune(line)))
	}
	b := Cells(columns, len(lines), func(int, int) string { return "light" })
	var pieces []Piece
	for row, line := range lines {
		for column, c := range []rune(line) {
			if c != ' ' {
				pieces = append(pieces, Piece{Square: row*columns + column, Face: Letters(string(c), ""), Name: string(c)})
			}
		}
	}
	for row := range lines {
		for column := range columns {
			x, y := Middle(column, row)
			b.Squares = append(b.Squares, Square{fmt.Sprintf("row %d, column %d", row+1, column+1), x, y})
		}
	}
	return b, pieces
}
