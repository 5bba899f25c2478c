package quagmire

import (
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/picture"
)

// Board is a board of eight by eight squares.
func (Game) Board() *picture.Board { return drawnBoard() }

var drawnBoard = sync.OnceValue(func() *picture.Board {
	b := picture.Cells(columns, columns, picture.Checkered(columns))
	b.Style = pictureStyle
	b.Columns(strings.Split("abcdefgh", "")...)
	b.Rows(strings.Split("87654321", "")...)
	for sq := range game.Square(squareCount) {
		x, y := picture.Middle(int(sq)%columns, columns-1-int(sq)/columns)
		b.Squares = append(b.Squares, picture.Square{Name: SquareName(sq), X: x, Y: y})
	}
	return b
})

const pictureStyle = `.sign { fill: none; stroke: var(--tile-ink); stroke-width: 5; stroke-linecap: round; } .resting .tile { stroke: var(--heat); stroke-width: 3; stroke-dasharray: 5 4; } .mired .tile { fill: var(--d); }
`

// signs are the letters O and X, drawn.
var signs = [2]string{`<circle class="sign" r="10"/>`, `<path class="sign" d="M-8-8L8 8M8-8L-8 8"/>`}

// Pieces are all pieces; those that were moved last, and so may not move, and those in Quagmire are marked.
func (p *Position) Pieces() (all []picture.Piece) {
	for sq := range p.board.Occupied().All() {
		side, _ := p.board.At(sq)
		one := picture.Piece{Square: int(sq), Side: side.Number(), Shape: picture.Disc, Face: signs[side], Name: string(Letter(side))}
		if p.board.Last(side) == sq {
			one.Class, one.Name = "resting", one.Name+", moved last"
		}
		if p.board.Quagmired(side).Has(sq) {
			one.Class, one.Name = strings.TrimSpace(one.Class+" mired"), one.Name+", in quagmire"
		}
		all = append(all, one)
	}
	return all
}
