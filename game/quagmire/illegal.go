package quagmire

import (
	"fmt"
	"strings"

	"luzhanqi/game"
)

// IllegalKind says which rule a move is against.
type IllegalKind uint8

// The kinds, in the order in which they are tested.
const (
	OffBoard     IllegalKind = iota // a square number above that of h8
	SameSquare                      // from and to are one square
	NothingThere                    // no piece stands on the from-square
	NotYours                        // the opponent's piece stands there
	MovedLast                       // the piece was moved on this side's last turn
	MustRelieve                     // another piece is in Quagmire and can move
	Occupied                        // a piece stands on the target
	NoLine                          // no row, column or diagonal leads there
	Blocked                         // a piece is in the way
	JumpTooFar                      // the piece next to it can be jumped, but only to right behind it
	LandsOnPiece                    // the piece next to it cannot be jumped, for the square behind it is occupied
	NoClosedLoop                    // the enemy piece could be jumped across a closed loop only
)

// IllegalMove says why a move cannot be played.
type IllegalMove struct {
	Kind  IllegalKind
	Move  game.Move
	Mover game.Side
	At    game.Square   // Blocked to NoClosedLoop: the first piece in the way
	Owner game.Side     // of the piece on At; Occupied: of the piece on the target
	Land  game.Square   // JumpTooFar and LandsOnPiece: the square behind At
	Stuck Squares       // MustRelieve: the pieces of which one must move
	Leak  []game.Square // NoClosedLoop: a way around, from the from-square to the target
}

func (e *IllegalMove) Error() string { return MoveName(e.Move) + ": " + e.reason() }

func (e *IllegalMove) reason() string {
	from, to, at := SquareName(e.Move.From), SquareName(e.Move.To), SquareName(e.At)
	mover, owner := Letter(e.Mover), Letter(e.Owner)
	switch e.Kind {
	case OffBoard:
		return "the board is a1 to h8"
	case SameSquare:
		return "a move must leave its square"
	case NothingThere:
		return "there is no piece on " + from
	case NotYours:
		return fmt.Sprintf("the piece on %s is %c, and it is %c's turn", from, Letter(e.Mover.Other()), mover)
	case MovedLast:
		return fmt.Sprintf("the %c on %s moved on %c's last turn, and no piece moves twice in a row", mover, from, mover)
	case MustRelieve:
		return fmt.Sprintf("%c must move a piece that is in Quagmire: %s", mover, either(squareNames(e.Stuck)))
	case Occupied:
		return fmt.Sprintf("%s is occupied by %c, and nothing is ever captured", to, owner)
	case NoLine:
		return fmt.Sprintf("no row, column or diagonal leads from %s to %s", from, to)
	case JumpTooFar:
		return fmt.Sprintf("the %c on %s is in the way, and a jump over it ends right behind it, on %s", owner, at, SquareName(e.Land))
	case LandsOnPiece:
		return fmt.Sprintf("the %c on %s is in the way, and a jump over it would land on %s, which is occupied", owner, at, SquareName(e.Land))
	case NoClosedLoop:
		return fmt.Sprintf("the %c on %s can be jumped only across a closed loop of %c, but %s leads around it",
			owner, at, owner, way(e.Leak))
	}
	if e.Owner == e.Mover {
		return fmt.Sprintf("the %c on %s is in the way, and only the very next piece can be jumped", owner, at)
	}
	return fmt.Sprintf("the %c on %s is in the way", owner, at)
}

// either writes "c2", "c2 or d3", "c2, d3 or e4".
func either(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func way(squares []game.Square) string {
	var names []string
	for _, sq := range squares {
		names = append(names, SquareName(sq))
	}
	return strings.Join(names, "-")
}

// Why says why a side may not play m, as an *IllegalMove; nil when it may.
func (b *Board) Why(side game.Side, m game.Move) error {
	e := &IllegalMove{Move: m, Mover: side, At: NoSquare, Land: NoSquare}
	at, owner := m.To, game.First
	if m.To < squareCount {
		owner, _ = b.At(m.To)
	}
	switch {
	case m.From >= squareCount || m.To >= squareCount:
		e.Kind = OffBoard
	case m.From == m.To:
		e.Kind = SameSquare
	case b.Of(side.Other()).Has(m.From):
		e.Kind = NotYours
	case !b.Of(side).Has(m.From):
		e.Kind = NothingThere
	case b.Last(side) == m.From:
		e.Kind = MovedLast
	default:
		if stuck := b.mustMove(side); stuck != 0 && !stuck.Has(m.From) {
			e.Kind, e.Stuck = MustRelieve, stuck
			return e
		}
		if b.Occupied().Has(at) {
			e.Kind, e.Owner = Occupied, owner
			return e
		}
		return b.whyNoWay(side, m, e)
	}
	return e
}

// mustMove returns the own pieces in Quagmire that can move, one of which must be moved.
func (b *Board) mustMove(side game.Side) (s Squares) {
	stuck := b.Quagmired(side) &^ Bit(b.Last(side))
	var room [8 * 10]game.Move
	for _, m := range jumps(stuck, b.Of(side), b.Of(side.Other()), room[:0]) {
		s |= Bit(m.From)
	}
	return s
}

// whyNoWay explains why a piece cannot reach an empty square; nil when it can.
func (b *Board) whyNoWay(side game.Side, m game.Move, e *IllegalMove) error {
	toward, ok := heading(m)
	if !ok {
		e.Kind = NoLine
		return e
	}
	step := func(sq game.Square) game.Square { return game.Square(int(sq) + toward.shift) }
	next := step(m.From)
	e.At = next
	for !b.Occupied().Has(e.At) {
		if e.At == m.To {
			return nil
		}
		e.At = step(e.At)
	}
	e.Owner, _ = b.At(e.At)
	e.Kind = Blocked
	if e.At != next {
		return e
	}
	e.Land = step(next) // on the board, for m.To lies behind e.At
	own := e.Owner == side
	switch {
	case own && b.Occupied().Has(e.Land):
		e.Kind = LandsOnPiece
	case own && m.To != e.Land:
		e.Kind = JumpTooFar
	case own:
		return nil
	case m.To == e.Land:
		if e.Leak = leak(m.From, m.To, b.Of(side.Other())); e.Leak == nil {
			return nil
		}
		e.Kind = NoClosedLoop
	}
	return e
}

// heading returns the direction in which a move goes; false if no line leads from square to square.
func heading(m game.Move) (direction, bool) {
	for i, l := range linesThrough[m.From] {
		up, down := &directions[2*i], &directions[2*i+1]
		switch {
		case l.above.Has(m.To):
			return *up, true
		case l.below.Has(m.To):
			return *down, true
		}
	}
	return direction{}, false
}
