package tablebase

import (
	"context"
	"math/bits"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// table holds the values of all positions that can arise from some beginning, for one choice of
// letters of both sides: 32 KiB for each placement of pawns and royals, 630 MB at most.
type table struct {
	reach  [2 * places]reach
	draws  bool // having no legal move draws; else it loses
	layers [1 << 16]*layer

	// The squares that are left to each pawn and royal, the last one first, so that by going through
	// them in order every layer is preceded by those that it leads to.
	order  [2][places][]uint8
	passed bool   // the first royal is the one farther to the right; it steps, so it stays so
	lost   int    // the first horse, first archer and second horse that are captured: 1, 2, 4
	last   uint16 // where the second archer can be at all

	// The second archer moves in sixteen positions at a time: how far, and from where it takes a square.
	distances   []int
	captureFrom [off + 1]uint16

	words [2][]word // room for those of a block
}

// cell is the values of sixteen positions that differ only in where the second archer stands: a bit
// for each square, bit 15 for captured. A position in neither set is drawn, or not solved yet.
type cell struct{ win, loss uint16 }

// layer is all positions with the same pawns and royals. The cells are indexed by who moves and by
// the squares of the first horse, the first archer and the second horse.
type layer [2][cells]cell

const cells = 16 * 16 * 16

func index(h, a, h2 uint8) int { return int(h) | int(a)<<4 | int(h2)<<8 }

// layer numbers the squares of pawns and royals, cell is the index in their layer.
func (p state) layer() int { return int(p&0xf | p>>8&0xff0 | p>>16&0xf000) }
func (p state) cell() int  { return int(p>>4&0xff | p>>12&0xf00) }

const onBoard = 1<<15 - 1

func bit(sq uint8) uint16 { return 1 << sq &^ (1 << off) }

// newTable prepares a table for what can arise from a placement.
func newTable(m matchup, from squares, draws bool) *table {
	t := &table{reach: m.reaches(), draws: draws, passed: from[royal] > from[places+royal], last: 1<<off | onBoard}
	for side := range 2 {
		for _, place := range []int{pawn, royal} {
			t.order[side][place] = squaresLeft(from[side*places+place], place == pawn, t.right(side*places+place))
		}
	}
	for n, piece := range []int{horse, archer, places + horse} {
		if from[piece] == off {
			t.lost |= 1 << n
		}
	}
	if from[places+archer] == off {
		t.last = 1 << off
	}
	r := &t.reach[places+archer]
	for from := range off {
		for to := r[from].captures; to != 0; to &= to - 1 {
			t.captureFrom[bits.TrailingZeros16(to)] |= 1 << from
		}
	}
	const middle = 7
	for to := r[middle].moves; to != 0; to &= to - 1 {
		t.distances = append(t.distances, bits.TrailingZeros16(to)-middle)
	}
	return t
}

// right says whether a pawn or royal goes to the right.
func (t *table) right(piece int) bool {
	const middle = 7
	return t.reach[piece][middle].moves > 1<<middle
}

func squaresLeft(from uint8, canFall, right bool) (order []uint8) {
	if canFall {
		order = append(order, off)
	}
	if from == off {
		return order
	}
	if right {
		for sq := uint8(off - 1); sq >= from && sq < off; sq-- {
			order = append(order, sq)
		}
		return order
	}
	for sq := range from + 1 {
		order = append(order, sq)
	}
	return order
}

// placements returns the placements of pawns and royals, without the other pieces, in the order in which their
// layers can be solved.
func (t *table) placements() (all []state) {
	for _, k1 := range t.order[0][royal] {
		for _, k2 := range t.order[1][royal] {
			for _, p1 := range t.order[0][pawn] {
				for _, p2 := range t.order[1][pawn] {
					apart := k1 != k2 && (p1 != p2 || p1 == off) && p1 != k1 && p1 != k2 && p2 != k1 && p2 != k2
					if apart && (k1 > k2) == t.passed {
						all = append(all, pack(squares{p1, off, off, k1, p2, off, off, k2}))
					}
				}
			}
		}
	}
	return all
}

// layerPool keeps layers for the next table: a full solve goes through a million of them.
var layerPool = sync.Pool{New: func() any { return new(layer) }}

// solve fills in the table; progress, which may be nil, is told about each layer.
func (t *table) solve(ctx context.Context, progress func()) error {
	for _, p := range t.placements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := layerPool.Get().(*layer)
		*l = layer{}
		t.layers[p.layer()] = l
		t.solveLayer(p, l)
		if progress != nil {
			progress()
		}
	}
	return nil
}

// free gives the layers back. The table must not be used any more.
func (t *table) free() {
	for key, l := range t.layers {
		if l != nil {
			layerPool.Put(l)
			t.layers[key] = nil
		}
	}
}

// size estimates how many cells solving the table fills in.
func (t *table) size() int {
	cells := 2 * len(t.placements())
	for n := range 3 {
		if t.lost>>n&1 == 0 {
			cells *= chess1d.Size - 3
		}
	}
	return cells
}

// cell is where the values of a placement are kept, wherever the second archer stands.
func (t *table) cell(p state, mover int) *cell {
	return &t.layers[p.layer()][mover][p.cell()&(cells-1)]
}

// value looks up a position of the table, for the side to move.
func (t *table) value(p state, mover game.Side) Value {
	c := t.cell(p, int(mover))
	switch by := uint16(1) << p.at(places+archer); {
	case c.win&by != 0:
		return Win
	case c.loss&by != 0:
		return Loss
	}
	return Draw
}

// Value is the result of perfect play for the side to move.
type Value int8

// The values.
const (
	Loss Value = iota - 1
	Draw
	Win
)

func (v Value) String() string { return [...]string{"loss", "draw", "win"}[v+1] }

// starting is a placement from which every set-up's positions arise: each pawn and royal as far from
// its end as a set-up can have it.
func starting(m matchup) (from squares) {
	for piece := range from {
		place, left := piece%places, uint8(0)
		if piece >= places {
			left = chess1d.Size - chess1d.Own
		}
		goesBack := m[piece/places].reversed(place) != (place == royal)
		if goesBack != (piece >= places) {
			left += chess1d.Own - 1
		}
		from[piece] = left
	}
	return from
}
