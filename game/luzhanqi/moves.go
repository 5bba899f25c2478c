package luzhanqi

import (
	"math/bits"

	"luzhanqi/game"
)

// edges holds the squares to which the edges of one square lead.
type edges struct {
	steps Squares // one step along any edge; none out of a headquarters, which nobody leaves
	// The straight railway lines through the square, split at it into the squares with lower and
	// with higher numbers; empty where there is no such line.
	rowBelow, rowAbove       Squares
	columnBelow, columnAbove Squares
}

// edgesOf has a power of two of entries, so that a masked index needs no check.
var edgesOf = makeEdges()

// Squares with a railway edge to the next square in each direction.
const (
	railEast  = railRows &^ columnE
	railWest  = railRows &^ columnA
	railNorth = railColumns&^row11 | c6
	railSouth = railColumns&^row2 | c7
)

// Squares with an edge of any kind to the next square in each direction. No camp is in column A or
// E, so no diagonal leaves the board.
const (
	mountains     Squares = 1<<26 | 1<<28 // B6 and D6: no edge leads north, nor back
	stepNorth             = EverySquare >> columns &^ mountains
	stepSouth             = stepNorth << columns
	stepEast              = EverySquare &^ columnE
	stepWest              = EverySquare &^ columnA
	stepNorthEast         = Camps | Camps>>6
	stepNorthWest         = Camps | Camps>>4
	stepSouthEast         = Camps | Camps<<4
	stepSouthWest         = Camps | Camps<<6
)

func makeEdges() (table [64]edges) {
	for n := range squareCount {
		w, sq := &table[n], game.Square(n)
		at := Bit(sq)
		below := at - 1
		above := EverySquare &^ below &^ at
		if row := row1 << (n / columns * columns); railRows.Has(sq) {
			w.rowBelow, w.rowAbove = row&below, row&above
		}
		if column := columnA << (n % columns); railColumns.Has(sq) {
			w.columnBelow, w.columnAbove = column&railColumns&below, column&railColumns&above
		}
		if !Headquarters.Has(sq) {
			w.steps = Beside(Bit(sq))
		}
	}
	return table
}

// Beside are the squares one edge away from any in the set.
func Beside(s Squares) Squares {
	return s&stepNorth<<5 | s&stepSouth>>5 | s&stepEast<<1 | s&stepWest>>1 |
		s&stepNorthEast<<6 | s&stepNorthWest<<4 | s&stepSouthEast>>4 | s&stepSouthWest>>6
}

// TargetsOf returns where a piece on sq can move, given the squares of its own side's pieces and
// of the enemy's. It needs no ranks but whether the piece is an engineer, so a player can ask it
// about pieces that it cannot see; that flags and landmines never move is for the caller to know.
func TargetsOf(sq game.Square, own, enemy Squares, engineer bool) Squares {
	occupied := own | enemy
	w := &edgesOf[sq&63]
	s := w.steps | straight(w.rowBelow, w.rowAbove, occupied) | straight(w.columnBelow, w.columnAbove, occupied)
	if engineer && Railway.Has(sq) {
		s |= RailwayFrom(sq, occupied)
	}
	return s &^ (own | occupied&Camps)
}

// straight returns the squares of one straight line that a piece between its two parts can reach: up
// to the nearest piece on each side, that square included.
func straight(below, above, occupied Squares) Squares {
	// Subtracting the nearest below (its highest bit, or any lower one if there is none) borrows
	// from the nearest above, so the bits from the one to the other change: this is known from
	// chess as the obstruction difference.
	low := Squares(1) << (63 - uint(bits.LeadingZeros64(uint64(below&occupied|1))))
	high := above & occupied
	return (high ^ (high - low)) & (below | above)
}

// RailwayFrom returns every square that an engineer on sq reaches by railway: it turns freely on
// empty squares, and the squares where it meets a piece are the ends.
func RailwayFrom(sq game.Square, occupied Squares) Squares {
	at := Bit(sq)
	open := ^occupied | at
	reached := at
	for {
		from := reached & open
		next := reached |
			from&railEast<<1 | from&railWest>>1 |
			from&railNorth<<5 | from&railSouth>>5
		if next == reached {
			return reached &^ at
		}
		reached = next
	}
}

// Targets returns where the piece on sq can move, whoever's turn it is: nowhere if there is none.
func (b *Board) Targets(sq game.Square) Squares {
	at := Bit(sq)
	if at&(b.Occupied()&^b.fixed()) == 0 {
		return 0
	}
	side := b.of[1] >> (sq & 63) & 1
	return TargetsOf(sq, b.of[side], b.of[side^1], b.rank(sq) == Engineer)
}

// Moves appends the legal moves of a side to dst, by the square from which they start.
func (b *Board) Moves(side game.Side, dst []game.Move) []game.Move {
	own, enemy := b.of[side&1], b.of[side&1^1]
	engineers := b.engineers()
	for movers := b.movers(side); movers != 0; movers &= movers - 1 {
		from := movers.First()
		for to := TargetsOf(from, own, enemy, engineers.Has(from)); to != 0; to &= to - 1 {
			dst = append(dst, game.Move{From: from, To: to.First()})
		}
	}
	return dst
}

// HasMove says whether a side has any legal move.
func (b *Board) HasMove(side game.Side) bool { return b.movers(side) != 0 }

// movers are the pieces of a side that have a legal move. One step decides it, since the railway
// leads nowhere that does not begin with a step. All pieces are asked at once, from the squares that can
// be entered, since every edge leads both ways: passing over those that are stuck makes Moves about a
// fifth faster.
func (b *Board) movers(side game.Side) Squares {
	own := b.of[side&1]
	free := EverySquare &^ (own | b.Occupied()&Camps)
	return own &^ (b.fixed() | Headquarters) & Beside(free)
}

// Legal says whether a side may play m.
func (b *Board) Legal(side game.Side, m game.Move) bool {
	return m.From < squareCount && m.To < squareCount && b.Of(side).Has(m.From) && b.Targets(m.From).Has(m.To)
}
