package jungle

import (
	"fmt"
	"sync"

	"luzhanqi/game"
	"luzhanqi/picture"
)

// Board is the board of squares with rivers, traps and dens, red at home below.
func (Game) Board() *picture.Board { return drawnBoard() }

var drawnBoard = sync.OnceValue(func() *picture.Board {
	b := picture.Cells(columns, rows, func(column, row int) string {
		switch sq := At(column, row); {
		case sq == RedDen || sq == BlueDen:
			return "den"
		case Traps.Has(sq):
			return "trap"
		case Water.Has(sq):
			return "water"
		}
		return "light"
	})
	b.Style = pictureStyle
	var numbers []string
	for n := range max(rows, columns) {
		numbers = append(numbers, fmt.Sprint(n))
	}
	b.Columns(numbers[:columns]...)
	b.Rows(numbers[:rows]...)
	for sq := range game.Square(squareCount) {
		column, row := XY(sq)
		x, y := picture.Middle(column, row)
		b.Squares = append(b.Squares, picture.Square{Name: fmt.Sprintf("%d %d", column, row), X: x, Y: y})
		switch {
		case sq == RedDen || sq == BlueDen:
			b.Labels = append(b.Labels, picture.Label{X: x, Y: y, Class: "place", Text: "獸穴"})
		case Traps.Has(sq):
			b.Labels = append(b.Labels, picture.Label{X: x, Y: y, Class: "place", Text: "陷阱"})
		case Water.Has(sq):
			b.Labels = append(b.Labels, picture.Label{X: x, Y: y, Class: "wave", SVG: `<path d="M-18-6q4.5-6 9 0t9 0t9 0t9 0M-18 8q4.5-6 9 0t9 0t9 0t9 0"/>`})
		}
	}
	return b
})

const pictureStyle = `.water { fill: var(--water); stroke: var(--water-ink); stroke-width: .5; } .wave path { fill: none; stroke: var(--water-ink); stroke-width: 1.5; opacity: .7; }
.trap { fill: var(--trap); stroke: var(--edge); } .den { fill: var(--hq); stroke: var(--rail); stroke-width: 1.5; }
.labels .place { font: 15px "Luzhanqi Pieces", "Noto Serif CJK TC", "Songti TC", PMingLiU, serif; letter-spacing: 1px; }
`

// Pieces are all animals, each with its strength.
func (p *Position) Pieces() (all []picture.Piece) {
	for sq := range p.board.Occupied().All() {
		side, k, _ := p.board.At(sq)
		all = append(all, picture.Piece{
			Square: int(sq), Side: side.Number(), Shape: picture.Disc, Name: k.String(),
			Face: fmt.Sprintf(`<text class="han" y="-3">%s</text><text class="rank" y="15">%d</text>`, chinese[k], k.Strength()),
		})
	}
	return all
}
