package luzhanqi

import (
	"fmt"
	"math/bits"

	"luzhanqi/game"
)

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

func (e *IllegalMove) InFrame(side game.Side) error {
	return &IllegalMove{Kind: e.Kind, Move: Game{}.InFrame(e.Move, side), Rank: e.Rank, At: inFrame(e.At, side)}
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
	w := &edgesOf[m.From]
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
