// Package picture holds what the pictures of all games share: a board and the pieces on it, as SVG.
//
// A game says in its own folder how its [Board] looks and which [Piece] stands where; one that does not gets a
// plain grid, by [Grid]. [Board.Picture] draws a position, [Board.Document] a file that needs nothing else. Pages
// that draw positions by themselves get the parts as they are: what [Board.Piece] puts together, a script can, too.
//
// The package knows no game, imports nothing of ours, and gets neither ranks nor rules: what must not be seen must
// not be handed in.
package picture

import (
	"fmt"
	"strings"
)

// Board is what a game looks like without its pieces. Lengths are in units of the picture, whose corner is above on
// the left. It is drawn as player 1 sees it, at home below, and can be turned by 180°.
type Board struct {
	Width, Height int
	Ground        string // SVG of what never changes
	Labels        []Label
	Squares       []Square // by their number
	Cell          [2]int   // the size of what belongs to a square
	Style         string   // CSS of the ground and of the pieces' classes
}

// Square is where pieces can stand: the middle of it.
type Square struct {
	Name string
	X, Y int
}

// Label is what stays upright on the ground when the board is turned: text, or SVG around 0,0.
type Label struct {
	X, Y  int
	Class string
	Text  string
	SVG   string // instead of text
	// Edge keeps a label at its edge when the board is turned: 'x' at the left or right, 'y' above or below. Zero: it
	// goes with the board.
	Edge byte
}

// Piece is what stands on a square.
type Piece struct {
	Square int
	Side   int    // 1 or 2; 0: nobody's
	Class  string // further classes for the style; "" none
	Shape  string // SVG around 0,0, as it points for player 1; for player 2 it is turned
	Face   string // SVG around 0,0 that stays upright
	Name   string // for people: field marshal
}

// Unknown is the name of a piece of which those who look do not know what it is.
const Unknown = "unknown piece"

// Marks is what a picture shows besides the pieces.
type Marks struct {
	Trace []int // squares of the latest move, in order; one of them: something was placed there
}

// At is where a square is drawn.
func (b *Board) At(square int, turned bool) (x, y int) {
	s := b.Squares[square]
	if turned {
		return b.Width - s.X, b.Height - s.Y
	}
	return s.X, s.Y
}

// Land draws the ground and the labels.
func (b *Board) Land(turned bool) string {
	var s strings.Builder
	if turned {
		fmt.Fprintf(&s, `<g class="land" transform="rotate(180 %g %g)">%s</g>`, float64(b.Width)/2, float64(b.Height)/2, b.Ground)
	} else {
		fmt.Fprintf(&s, `<g class="land">%s</g>`, b.Ground)
	}
	s.WriteString(`<g class="labels">`)
	for _, l := range b.Labels {
		x, y := l.X, l.Y
		if turned && l.Edge != 'x' {
			x = b.Width - x
		}
		if turned && l.Edge != 'y' {
			y = b.Height - y
		}
		if l.SVG != "" {
			fmt.Fprintf(&s, `<g class="%s" transform="translate(%d %d)">%s</g>`, l.Class, x, y, l.SVG)
			continue
		}
		fmt.Fprintf(&s, `<text class="%s" x="%d" y="%d">%s</text>`, l.Class, x, y, Escape(l.Text))
	}
	return s.String() + `</g>`
}

// Trace is the path of the latest move.
func (b *Board) Trace(m Marks, turned bool) string {
	var s strings.Builder
	for i, sq := range m.Trace {
		if sq < 0 || sq >= len(b.Squares) {
			return ""
		}
		x, y := b.At(sq, turned)
		if len(m.Trace) == 1 { // a line of no length, whose round ends are a dot
			fmt.Fprintf(&s, "M%d %dl0 0", x, y)
			continue
		}
		fmt.Fprintf(&s, "%c%d %d", "ML"[min(i, 1)], x, y)
	}
	return s.String()
}

// Piece draws one piece. The script of the page does the same with the same parts.
func (b *Board) Piece(p Piece, turned bool) string {
	x, y := b.At(p.Square, turned)
	shape := p.Shape
	if (p.Side == 2) != turned {
		shape = `<g transform="rotate(180)">` + shape + `</g>`
	}
	return fmt.Sprintf(`<g class="%s" transform="translate(%d %d)">%s%s</g>`, p.Classes(), x, y, shape, p.Face)
}

// Classes are the classes of the piece: its side's, and its own.
func (p Piece) Classes() string {
	return strings.TrimSpace(fmt.Sprintf("piece s%d %s", p.Side, p.Class))
}

// Picture is a position: what is inside of the svg element.
func (b *Board) Picture(pieces []Piece, m Marks, turned bool) string {
	var s strings.Builder
	s.WriteString(b.Land(turned))
	if trace := b.Trace(m, turned); trace != "" {
		fmt.Fprintf(&s, `<path class="trace" d="%s"/>`, trace)
	}
	for _, p := range pieces {
		s.WriteString(b.Piece(p, turned))
	}
	return s.String()
}

// Document is a position as a file of its own, light or dark as the reader's system is. Title is its text for those
// who cannot see it.
func (b *Board) Document(title string, pieces []Piece, m Marks, turned bool) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" class="board"><title>%s</title><style>%s</style>`+
		`<rect class="table" width="%[1]d" height="%[2]d" rx="10"/>%[7]s</svg>`+"\n",
		b.Width, b.Height, b.Width, b.Height, Escape(title), Style(true)+b.Style, b.Picture(pieces, m, turned))
}

// Escape makes text safe between tags and in attributes.
func Escape(text string) string { return escaper.Replace(text) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
