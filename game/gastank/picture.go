package gastank

import (
	"fmt"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/picture"
)

// Board is a chessboard of seven ranks.
func (Game) Board() *picture.Board { return drawnBoard() }

var drawnBoard = sync.OnceValue(func() *picture.Board {
	b := picture.Cells(Files, Ranks, picture.Checkered(Ranks))
	b.Style = pictureStyle
	b.Columns(strings.Split("ABCDEFGH", "")...)
	b.Rows(strings.Split("7654321", "")...)
	for sq := range game.Square(squareCount) {
		x, y := picture.Middle(int(sq)%Files, Ranks-1-int(sq)/Files)
		b.Squares = append(b.Squares, picture.Square{Name: SquareName(sq), X: x, Y: y})
	}
	return b
})

const pictureStyle = `.figure { fill: var(--tile-ink); } .gas { fill: var(--heat); stroke: var(--d); stroke-width: .8; } .gas.spent { fill: var(--d); } .dry .tile { fill: var(--d); }
`

// figures are the pieces' outlines, within 13 units to both sides and 17 up.
var figures = [...]string{
	King:   "M-2-17h4v4h4v4h-4v3h8l-3 14h-14l-3-14h8v-3h-4v-4h4Z",
	Knight: "M-7 8C-7 0-1-3-2-6L-8-3L-11-7L-4-14L-3-17L0-15C8-13 10-3 8 8Z",
	Bishop: "M-1.5-18h3l4 7-6 7 2 2 5-6C9-3 7 0 5 3L7 8H-7L-5 3C-10-3-6-11-1.5-18Z",
	Queen:  "M-8 8L-13-10L-5-3L0-16L5-3L13-10L8 8Z",
}

// Pieces are all pieces with the gas in their tanks.
func (p Position) Pieces() (all []picture.Piece) {
	for sq := range p.board.Occupied().All() {
		side, kind, gas, _ := p.board.At(sq)
		face := fmt.Sprintf(`<path class="figure" d="%s"/>`, figures[kind])
		for n := range FullTank {
			class := "gas"
			if n >= gas {
				class = "gas spent"
			}
			face += fmt.Sprintf(`<rect class="%s" x="%d" y="11" width="7" height="5" rx="1"/>`, class, -12+n*8)
		}
		one := picture.Piece{
			Square: int(sq), Side: side.Number(), Shape: picture.Disc, Face: face, Name: fmt.Sprintf("%v, gas %d", kind, gas),
		}
		if gas == 0 {
			one.Class = "dry"
		}
		all = append(all, one)
	}
	return all
}
