package player

import (
	"math/bits"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

const (
	squareCount = 60
	columns     = 5
	rankCodes   = 16
)

// way is where the edges of one square lead, laid out for playouts: luzhanqi.TargetsOf answers the
// same, but a playout asks so often that not asking again what it knows already pays.
type way struct {
	steps luzhanqi.Squares // one step along any edge; none out of a headquarters
	// attackers are the squares from where one step takes what stands here: none for a camp. Those of a
	// headquarters are its gates.
	attackers luzhanqi.Squares
	// The straight railway lines, whole and split at the square.
	row, rowBelow, rowAbove, column, columnBelow, columnAbove luzhanqi.Squares
}

// ways has a power of two of entries, so that a masked index needs no check.
var ways = makeWays()

func makeWays() (table [64]way) {
	for n := range squareCount {
		sq := game.Square(n)
		at := luzhanqi.Bit(sq)
		w := &table[n]
		open := luzhanqi.TargetsOf(sq, 0, 0, false)
		w.steps = luzhanqi.TargetsOf(sq, 0, luzhanqi.EverySquare&^at, false) | open&luzhanqi.Camps
		if luzhanqi.Headquarters.Has(sq) {
			w.steps = 0
		}
		if !luzhanqi.Camps.Has(sq) {
			w.attackers = at.Beside() &^ luzhanqi.Headquarters
		}
		if !luzhanqi.Railway.Has(sq) {
			continue
		}
		for to := range (open & luzhanqi.Railway).All() {
			switch sameRow := n/columns == int(to)/columns; {
			case sameRow && to < sq:
				w.rowBelow |= luzhanqi.Bit(to)
			case sameRow:
				w.rowAbove |= luzhanqi.Bit(to)
			case n%columns != int(to)%columns:
			case to < sq:
				w.columnBelow |= luzhanqi.Bit(to)
			default:
				w.columnAbove |= luzhanqi.Bit(to)
			}
		}
		w.row, w.column = w.rowBelow|w.rowAbove, w.columnBelow|w.columnAbove
	}
	return table
}

// lines returns the squares that the straight railway lines through a square reach, the first piece
// each way included: none from a square that is not on the railway, which to ask first would cost more.
// As TargetsOf does, it takes the obstruction difference known from chess: subtracting the nearest piece
// below borrows from the nearest above, so the bits from the one to the other change.
func (w *way) lines(occupied luzhanqi.Squares) luzhanqi.Squares {
	row, column := w.rowAbove&occupied, w.columnAbove&occupied
	return (row-last(w.rowBelow&occupied)^row)&w.row | (column-last(w.columnBelow&occupied)^column)&w.column
}

// last is the highest of the squares; of none, the first of all.
func last(s luzhanqi.Squares) luzhanqi.Squares { return 1 << ((bits.Len64(uint64(s|1)) - 1) & 63) }

// distances is the number of steps between any two squares on an empty board, the railway counting
// as a single step a line: by target, then by where one comes from.
var distances = makeDistances()

func makeDistances() (table [64][64]int8) {
	for target := range squareCount {
		d := &table[target]
		for sq := range d {
			d[sq] = 20
		}
		d[target] = 0
		for changed := true; changed; {
			changed = false
			for n := range squareCount {
				for to := range luzhanqi.TargetsOf(game.Square(n), 0, 0, false).All() {
					if d[to]+1 < d[n] {
						d[n] = d[to] + 1
						changed = true
					}
				}
			}
		}
	}
	return table
}

// zones are the squares within three steps of a headquarters, by its square.
var zones = makeZones()

func makeZones() (table [64]luzhanqi.Squares) {
	for hq := range luzhanqi.Headquarters.All() {
		for sq := range game.Square(squareCount) {
			if distances[hq][sq] <= 2 {
				table[hq] |= luzhanqi.Bit(sq)
			}
		}
	}
	return table
}
