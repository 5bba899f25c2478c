// Package tables lays out what playouts ask of the board of Luzhanqi: where the edges of each square lead
// ([Paths]), how far it is from square to square ([Distances]), and what is near a headquarters ([Zones]).
// All have a power of two of entries, so that a masked index needs no check.
package tables

import (
	"math/bits"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// Sizes of the board and of arrays by rank.
const (
	SquareCount = 60
	Columns     = 5
	RankCodes   = 16
)

// Nowhere is the square of a flag that is not on the board.
const Nowhere game.Square = 63

// Path is where the edges of one square lead, laid out for playouts: luzhanqi.TargetsOf answers the
// same, but a playout asks so often that not asking again what it knows already pays.
type Path struct {
	Steps luzhanqi.Squares // one step along any edge; none out of a headquarters
	// Attackers are the squares from where one step takes what stands here: none for a camp. Those of a
	// headquarters are its gates.
	Attackers luzhanqi.Squares
	// The straight railway lines, whole and split at the square.
	row, rowBelow, rowAbove, column, columnBelow, columnAbove luzhanqi.Squares
}

// Paths are by square.
var Paths = func() (table [64]Path) {
	for n := range SquareCount {
		sq := game.Square(n)
		at := luzhanqi.Bit(sq)
		p := &table[n]
		open := luzhanqi.TargetsOf(sq, 0, 0, false)
		p.Steps = luzhanqi.TargetsOf(sq, 0, luzhanqi.EverySquare&^at, false) | open&luzhanqi.Camps
		if luzhanqi.Headquarters.Has(sq) {
			p.Steps = 0
		}
		if !luzhanqi.Camps.Has(sq) {
			p.Attackers = luzhanqi.Beside(at) &^ luzhanqi.Headquarters
		}
		if !luzhanqi.Railway.Has(sq) {
			continue
		}
		for to := range (open & luzhanqi.Railway).All() {
			switch sameRow := n/Columns == int(to)/Columns; {
			case sameRow && to < sq:
				p.rowBelow |= luzhanqi.Bit(to)
			case sameRow:
				p.rowAbove |= luzhanqi.Bit(to)
			case n%Columns != int(to)%Columns:
			case to < sq:
				p.columnBelow |= luzhanqi.Bit(to)
			default:
				p.columnAbove |= luzhanqi.Bit(to)
			}
		}
		p.row, p.column = p.rowBelow|p.rowAbove, p.columnBelow|p.columnAbove
	}
	return table
}()

// Lines returns the squares that the straight railway lines through a square reach, the first piece
// each way included: none from a square that is not on the railway, which to ask first would cost more.
// As TargetsOf does, it takes the obstruction difference known from chess: subtracting the nearest piece
// below borrows from the nearest above, so the bits from the one to the other change.
func (p *Path) Lines(occupied luzhanqi.Squares) luzhanqi.Squares {
	row, column := p.rowAbove&occupied, p.columnAbove&occupied
	return (row-last(p.rowBelow&occupied)^row)&p.row | (column-last(p.columnBelow&occupied)^column)&p.column
}

// last is the highest of the squares; of none, the first of all.
func last(s luzhanqi.Squares) luzhanqi.Squares { return 1 << ((bits.Len64(uint64(s|1)) - 1) & 63) }

// Distances is the number of steps between any two squares on an empty board, the railway counting
// as a single step a line: by target, then by where one comes from. Where no way leads it is 20.
var Distances = func() (table [64][64]int8) {
	var open [SquareCount]luzhanqi.Squares
	for sq := range open {
		open[sq] = luzhanqi.TargetsOf(game.Square(sq), 0, 0, false)
	}
	for target := range SquareCount {
		d := &table[target]
		for sq := range d {
			d[sq] = 20
		}
		d[target] = 0
		reached := luzhanqi.Bit(game.Square(target))
		for steps, found := int8(1), reached; found != 0; steps++ {
			latest := found
			found = 0
			for sq := range open {
				if at := luzhanqi.Bit(game.Square(sq)); open[sq]&latest != 0 && reached&at == 0 {
					d[sq] = steps
					found |= at
				}
			}
			reached |= found
		}
	}
	return table
}()

// Zones are the squares within two steps of a headquarters, by its square.
var Zones = func() (table [64]luzhanqi.Squares) {
	for hq := range luzhanqi.Headquarters.All() {
		for sq := range game.Square(SquareCount) {
			if Distances[hq][sq] <= 2 {
				table[hq] |= luzhanqi.Bit(sq)
			}
		}
	}
	return table
}()
