package luzhanqi

import (
	"fmt"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/picture"
)

// Of the picture: squares are so far apart, and there is a front between rows 6 and 7.
const (
	pictureWidth, pictureHeight = 504, 676
	pictureLeft, pictureTop     = 60, 37
	across, upward, front       = 96, 52, 30
)

// middle is where a square is drawn, player 1 below.
func middle(sq game.Square) (x, y int) {
	column, row := int(sq)%columns, int(sq)/columns
	y = pictureTop + (rows-1-row)*upward
	if row < rows/2 {
		y += front
	}
	return pictureLeft + column*across, y
}

// Board is the board as it is drawn on wood and cloth: posts and roads, railways with their ties, round camps,
// headquarters, and the mountains between the armies.
func (Game) Board() *picture.Board { return drawnBoard() }

var drawnBoard = sync.OnceValue(func() *picture.Board {
	b := &picture.Board{Width: pictureWidth, Height: pictureHeight, Cell: [2]int{across, upward}, Ground: drawnGround(), Style: pictureStyle}
	for sq := range game.Square(squareCount) {
		x, y := middle(sq)
		b.Squares = append(b.Squares, picture.Square{Name: SquareName(sq), X: x, Y: y})
		switch {
		case Camps.Has(sq):
			b.Labels = append(b.Labels, picture.Label{X: x, Y: y, Class: "camp-name", Text: "行營"})
		case Headquarters.Has(sq):
			b.Labels = append(b.Labels, picture.Label{X: x, Y: y, Class: "hq-name", Text: "大本營"})
		}
	}
	for _, column := range []int{1, 3} {
		x, _ := middle(game.Square(column))
		b.Labels = append(b.Labels, picture.Label{X: x, Y: pictureHeight / 2, Class: "hill", SVG: `<path d="M-40 15L-21-9L-12 2L2-17L17 4L24-4L40 15Z"/>` +
			`<path class="snow" d="M-4-9L2-17L8-9L4-6L1-10L-1-6Z"/>`, Edge: 'y'})
		b.Labels = append(b.Labels, picture.Label{X: x, Y: pictureHeight/2 + 9, Class: "hill-name", Text: "山界", Edge: 'y'})
	}
	for column := range columns {
		x, _ := middle(game.Square(column))
		b.Labels = append(b.Labels, picture.Label{X: x, Y: pictureHeight - 9, Class: "coord", Text: string(rune('A' + column)), Edge: 'y'})
	}
	for row := range rows {
		_, y := middle(game.Square(row * columns))
		b.Labels = append(b.Labels, picture.Label{X: 11, Y: y, Class: "coord", Text: fmt.Sprint(row + 1), Edge: 'x'})
	}
	return b
})

const pictureStyle = `.road { stroke: var(--road); stroke-width: 1.6; fill: none; }
.rail { stroke: var(--rail); stroke-width: 7; fill: none; stroke-linecap: square; }
.ties { stroke: var(--tie); stroke-width: 4; fill: none; stroke-dasharray: 9 9; }
.post { fill: var(--post); stroke: var(--road); stroke-width: 1.2; }
.camp circle { fill: var(--camp); stroke: var(--camp-ink); stroke-width: 1.4; } .camp .in { fill: none; stroke-width: .7; }
.hq { fill: var(--hq); stroke: var(--rail); stroke-width: 1.6; }
.hill path { fill: var(--hill); } .hill .snow { fill: var(--snow); }
.labels .camp-name, .labels .hq-name, .labels .hill-name { font: 12px "Luzhanqi Pieces", "Noto Serif CJK TC", "Songti TC", PMingLiU, serif; letter-spacing: 1px; }
.labels .camp-name { fill: var(--camp-ink); } .labels .hq-name { fill: var(--board-ink); } .labels .hill-name { fill: var(--land); font-size: 11px; }
.army text.rank { font-size: 10px; opacity: .85; } .back .tile { fill: var(--d); stroke: var(--c); }
`

// drawnGround draws everything that never moves.
func drawnGround() string {
	var s, roads, rails strings.Builder
	line := func(b *strings.Builder, p, q game.Square) {
		x1, y1 := middle(p)
		x2, y2 := middle(q)
		fmt.Fprintf(b, "M%d %dL%d %d", x1, y1, x2, y2)
	}
	at := func(column, row int) game.Square { return game.Square(row*columns + column) }
	for row := range rows {
		for column := range columns {
			p := at(column, row)
			if column < columns-1 && !railRows.Has(p) {
				line(&roads, p, at(column+1, row))
			}
			if row < rows-1 && row != rows/2-1 && !(Railway.Has(p) && Railway.Has(at(column, row+1)) && column%4 == 0) {
				line(&roads, p, at(column, row+1))
			}
			if Camps.Has(p) {
				for _, d := range [][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
					line(&roads, p, at(column+d[0], row+d[1]))
				}
			}
		}
	}
	for _, row := range []int{1, 5, 6, 10} {
		line(&rails, at(0, row), at(4, row))
	}
	line(&rails, at(0, 1), at(0, 10))
	line(&rails, at(4, 1), at(4, 10))
	line(&rails, at(2, 5), at(2, 6))
	fmt.Fprintf(&s, `<path class="road" d="%s"/>`, roads.String())
	fmt.Fprintf(&s, `<path class="rail" d="%[1]s"/><path class="ties" d="%[1]s"/>`, rails.String())
	for sq := range game.Square(squareCount) {
		x, y := middle(sq)
		switch {
		case Camps.Has(sq):
			fmt.Fprintf(&s, `<g class="camp" transform="translate(%d %d)"><circle r="25"/><circle class="in" r="21"/></g>`, x, y)
		case Headquarters.Has(sq):
			fmt.Fprintf(&s, `<rect class="hq" x="%d" y="%d" width="78" height="46" rx="3"/>`, x-39, y-23)
		default:
			fmt.Fprintf(&s, `<rect class="post" x="%d" y="%d" width="70" height="36" rx="5"/>`, x-35, y-18)
		}
	}
	return s.String()
}

// tile is a piece's shape; it points to the enemy.
const tile = `<path class="tile" d="M-35-15L0-21L35-15V18H-35Z"/>`

// Pieces are all pieces with their ranks.
func (p *Position) Pieces() []picture.Piece { return p.board.pieces() }

// Pieces are those that the side sees: the enemy's show their backs.
func (v *View) Pieces() []picture.Piece { return v.board.pieces() }

func (b *Board) pieces() (all []picture.Piece) {
	for sq := range b.Occupied().All() {
		side, rank, _ := b.At(sq)
		p := picture.Piece{Square: int(sq), Side: side.Number(), Class: "army", Shape: tile, Name: rank.String()}
		if rank == None {
			p.Class, p.Name = "army back", picture.Unknown
		} else {
			p.Face = fmt.Sprintf(`<text class="han">%s</text><text class="rank" x="29" y="10">%c</text>`, rank.Chinese(), rank.Letter())
		}
		all = append(all, p)
	}
	return all
}

// Told says what became of both pieces.
func (p *Position) Told() (sentence, short string, ok bool) { return p.views[game.First].Told() }

// Told says what became of both pieces, in player 1's frame.
func (v *View) Told() (sentence, short string, ok bool) {
	o, ok := v.Last()
	if !ok {
		return "", "", false
	}
	from, to := SquareName(o.Move.From), SquareName(o.Move.To)
	if o.Result == Quiet {
		return from + " to " + to, from + "–" + to, true
	}
	sentence = from + " attacks " + to
	switch o.Result {
	case Win:
		sentence += ", and wins"
	case Loss:
		sentence += ", and falls"
	case Tie:
		sentence += ", and both fall"
	case FlagTaken:
		sentence += ", and takes the flag"
	}
	for _, f := range o.Flags {
		sentence += fmt.Sprintf("; player %v shows the flag on %s", f.Owner, SquareName(f.Square))
	}
	short = from + "×" + to + " " + strings.Replace(o.Result.String(), "flag", "⚑", 1)
	return sentence, short, true
}
