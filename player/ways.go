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
	into  luzhanqi.Squares // from where one step leads here
	// The straight railway lines, split at the square.
	rowBelow, rowAbove, columnBelow, columnAbove luzhanqi.Squares
	rail                                         bool
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
		if w.rail = luzhanqi.Railway.Has(sq); w.rail {
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
		}
	}
	for n := range squareCount {
		for to := range table[n].steps.All() {
			table[to].into |= luzhanqi.Bit(game.Square(n))
		}
	}
	return table
}

// lines returns the squares that the straight railway lines through a square reach, the first piece
// each way included.
func (w *way) lines(occupied luzhanqi.Squares) luzhanqi.Squares {
	return line(w.rowBelow, w.rowAbove, occupied) | line(w.columnBelow, w.columnAbove, occupied)
}

// line is the obstruction difference known from chess.
func line(below, above, occupied luzhanqi.Squares) luzhanqi.Squares {
	low := luzhanqi.Squares(1) << (63 - uint(bits.LeadingZeros64(uint64(below&occupied|1))))
	high := above & occupied
	return (high ^ (high - low)) & (below | above)
}

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
