package luzhanqi

import (
	"fmt"
	"math/bits"

	"luzhanqi/game"
)

// ways is where the edges of one square lead.
type ways struct {
	steps Squares // one step along any edge; none out of a headquarters, which nobody leaves
	// The straight railway lines through the square, split at it into the squares with lower and
	// with higher numbers; empty where there is no such line.
	rowBelow, rowAbove       Squares
	columnBelow, columnAbove Squares
}

// waysFrom has a power of two of entries, so that a masked index needs no check.
var waysFrom = makeWays()

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

func makeWays() (table [64]ways) {
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
			w.steps = Bit(sq).Beside()
		}
	}
	return table
}

// Beside are the squares one edge away from any of these.
func (s Squares) Beside() Squares {
	return s&stepNorth<<5 | s&stepSouth>>5 | s&stepEast<<1 | s&stepWest>>1 |
		s&stepNorthEast<<6 | s&stepNorthWest<<4 | s&stepSouthEast>>4 | s&stepSouthWest>>6
}

// TargetsOf returns where a piece on sq can move, given the squares of its own side's pieces and
// of the enemy's. It needs no ranks but whether the piece is an engineer, so a player can ask it
// about pieces that it cannot see; that flags and landmines never move is for the caller to know.
func TargetsOf(sq game.Square, own, enemy Squares, engineer bool) Squares {
	occupied := own | enemy
	w := &waysFrom[sq&63]
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
	return own &^ (b.fixed() | Headquarters) & free.Beside()
}

// Legal says whether a side may play m.
func (b *Board) Legal(side game.Side, m game.Move) bool {
	return m.From < squareCount && m.To < squareCount && b.Of(side).Has(m.From) && b.Targets(m.From).Has(m.To)
}

// IllegalKind says which rule a move is against.
type IllegalKind uint8

// The kinds, in the order in which they are tested.
const (
	OffBoard       IllegalKind = iota // a square number above that of E12
	SameSquare                        // from and to are one square
	NothingThere                      // nobody stands on the from-square
	NotYours                          // the enemy's piece stands there
	NeverMoves                        // it is a flag or a landmine
	InHeadquarters                    // it stands in a headquarters
	OwnTarget                         // an own piece stands on the target
	CampOccupied                      // the target is a camp that the enemy holds
	RailwayBlocked                    // pieces on the railway are in the way
	NeedsCorner                       // the railway leads there, but only engineers turn
	NoWay                             // neither a step nor a railway leads there
)

// IllegalMove says why a move cannot be played.
type IllegalMove struct {
	Kind IllegalKind
	Move game.Move
	Rank Rank        // NeverMoves: the piece
	At   game.Square // RailwayBlocked on a straight line: the first piece in the way; else the from-square
}

// Error names the squares in player 1's frame unless turned.
func (e *IllegalMove) Error() string {
	from, to := SquareName(e.Move.From), SquareName(e.Move.To)
	var reason string
	switch e.Kind {
	case OffBoard:
		reason = "the board is A1 to E12"
	case SameSquare:
		reason = "a move must leave its square"
	case NothingThere:
		reason = "there is no piece on " + from
	case NotYours:
		reason = "the piece on " + from + " is the enemy's"
	case NeverMoves:
		reason = fmt.Sprintf("the piece on %s is a %v, which never moves", from, e.Rank)
	case InHeadquarters:
		reason = "a piece in a headquarters never moves again"
	case OwnTarget:
		reason = "an own piece stands on " + to
	case CampOccupied:
		reason = "an occupied camp cannot be attacked"
	case RailwayBlocked:
		if e.At == e.Move.From {
			reason = "every way by railway is blocked"
		} else {
			reason = "the railway is blocked at " + SquareName(e.At)
		}
	case NeedsCorner:
		reason = "only an engineer turns corners on the railway"
	default:
		reason = "no road or railway leads there in one move"
	}
	return fmt.Sprintf("%s to %s: %s", from, to, reason)
}

// In returns the same error with the squares as side sees them.
func (e *IllegalMove) In(side game.Side) error {
	if side == game.First {
		return e
	}
	return e.Turn()
}

// Turn returns the same error with the squares of the other side's frame.
func (e *IllegalMove) Turn() *IllegalMove {
	return &IllegalMove{Kind: e.Kind, Move: TurnMove(e.Move), Rank: e.Rank, At: Turn(e.At)}
}

// Why says why a side may not play m, as an *IllegalMove; nil when it may.
func (b *Board) Why(side game.Side, m game.Move) error {
	if b.Legal(side, m) {
		return nil
	}
	e := &IllegalMove{Move: m, At: m.From}
	own, enemy := b.Of(side), b.Of(side.Other())
	rank := b.rank(m.From)
	switch {
	case m.From >= squareCount || m.To >= squareCount:
		e.Kind = OffBoard
	case m.From == m.To:
		e.Kind = SameSquare
	case enemy.Has(m.From):
		e.Kind = NotYours
	case !own.Has(m.From):
		e.Kind = NothingThere
	case !rank.Moves():
		e.Kind, e.Rank = NeverMoves, rank
	case Headquarters.Has(m.From):
		e.Kind = InHeadquarters
	case own.Has(m.To):
		e.Kind = OwnTarget
	case (enemy & Camps).Has(m.To):
		e.Kind = CampOccupied
	default:
		e.Kind, e.At = unreachable(m, b.Occupied(), rank == Engineer)
	}
	return e
}

// unreachable explains why no way leads from one square to another that is free to be entered.
func unreachable(m game.Move, occupied Squares, engineer bool) (IllegalKind, game.Square) {
	w := &waysFrom[m.From]
	for _, ray := range [...]Squares{w.rowBelow, w.rowAbove, w.columnBelow, w.columnAbove} {
		if !ray.Has(m.To) {
			continue
		}
		// The nearest piece on the ray stands before m.To, or m.To would have been reached.
		if m.To < m.From {
			return RailwayBlocked, game.Square(63 - bits.LeadingZeros64(uint64(ray&occupied)))
		}
		return RailwayBlocked, (ray & occupied).First()
	}
	switch {
	case !Railway.Has(m.From) || !Railway.Has(m.To):
		return NoWay, m.From
	case engineer || !RailwayFrom(m.From, occupied).Has(m.To):
		return RailwayBlocked, m.From
	}
	return NeedsCorner, m.From
}
