package chess1d

import (
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/picture"
)

// Board is a row of squares, player 1 at home on the left.
func (Game) Board() *picture.Board { return drawnBoard() }

var drawnBoard = sync.OnceValue(func() *picture.Board {
	b := picture.Cells(Size, 1, picture.Checkered(1))
	var names []string
	for sq := range game.Square(Size) {
		x, y := picture.Middle(int(sq), 0)
		names = append(names, SquareName(sq))
		b.Squares = append(b.Squares, picture.Square{Name: SquareName(sq), X: x, Y: y})
	}
	b.Columns(names...)
	return b
})

// shape points to where the pieces of player 1 go forward.
const shape = `<path class="tile" d="M-22-20H12L25 0L12 20H-22Z"/>`

// Pieces are all pieces by their capital letters.
func (p *Position) Pieces() (all []picture.Piece) {
	for n, letter := range p.board {
		if k, side, ok := kindOf(letter); ok {
			all = append(all, picture.Piece{
				Square: n, Side: side.Number(), Shape: shape, Face: picture.Letters(strings.ToUpper(string(rune(letter))), ""), Name: names[k],
			})
		}
	}
	return all
}
