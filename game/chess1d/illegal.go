package chess1d

import (
	"fmt"

	"luzhanqi/game"
)

// IllegalKind says which rule a move is against.
type IllegalKind uint8

// The kinds, in the order in which they are tested.
const (
	OffBoard     IllegalKind = iota // a square number above that of e
	NothingThere                    // nobody stands on the from-square
	NotYours                        // the enemy's piece stands there
	SameSquare                      // from and to are one square
	OwnTarget                       // an own piece stands on the target
	OnlyMoves                       // the piece goes there, but does not capture there
	OnlyCaptures                    // the piece captures there, but does not go to an empty square
	NoWay                           // the piece does neither
)

// IllegalMove says why a move cannot be played.
type IllegalMove struct {
	Kind   IllegalKind
	Move   game.Move
	Letter byte // the piece on the from-square, as its owner writes it; 0: none of the mover's
}

// Error names the squares in player 1's frame unless turned.
func (e *IllegalMove) Error() string {
	from, to := SquareName(e.Move.From), SquareName(e.Move.To)
	var reason string
	switch e.Kind {
	case OffBoard:
		reason = "the board is 0 to e"
	case SameSquare:
		reason = "a move must leave its square"
	case NothingThere:
		reason = "there is no piece on " + from
	case NotYours:
		reason = "the piece on " + from + " is the enemy's"
	case OwnTarget:
		reason = "an own piece stands on " + to
	case OnlyMoves:
		reason = fmt.Sprintf("an enemy stands on %s, and %s", to, e.piece())
	case OnlyCaptures:
		reason = fmt.Sprintf("%s is empty, and %s", to, e.piece())
	case NoWay:
		reason = e.piece()
	}
	return fmt.Sprintf("%s to %s: %s", from, to, reason)
}

// piece says which one it is and how it moves.
func (e *IllegalMove) piece() string {
	k, _, _ := kindOf(e.Letter)
	return fmt.Sprintf("the %s (%c) %s", names[k], e.Letter, descriptions[k])
}

// descriptions say how pieces move, by kind. "Forward" has no frame.
var descriptions = [len(Letters)]string{
	"moves 1 forward and captures 2 forward",
	"moves 1 backward and captures 2 backward",
	"moves 2 or 3 forward, and moves or captures 1 backward",
	"moves 2 or 3 backward, and moves or captures 1 forward",
	"moves 1 forward or 2 backward and captures 4 forward",
	"moves 1 backward or 2 forward and captures 4 backward",
	"moves or captures 1 backward",
	"moves or captures 1 forward",
}

func (e *IllegalMove) InFrame(side game.Side) error {
	return &IllegalMove{Kind: e.Kind, Move: Game{}.InFrame(e.Move, side), Letter: e.Letter}
}

// Why says why a side may not play m, as an *IllegalMove; nil when it may.
func (b *Board) Why(side game.Side, m game.Move) error {
	e := &IllegalMove{Move: m}
	if m.From >= Size || m.To >= Size {
		return e
	}
	k, owner, ok := kindOf(b[m.From])
	if !ok {
		e.Kind = NothingThere
		return e
	}
	if owner != side {
		e.Kind = NotYours
		return e
	}
	e.Letter = Letters[k]
	moves, captures := Reach(b[m.From], m.From)
	_, other, occupied := kindOf(b[m.To])
	switch {
	case m.From == m.To:
		e.Kind = SameSquare
	case occupied && other == side:
		e.Kind = OwnTarget
	case occupied && captures.Has(m.To), !occupied && moves.Has(m.To):
		return nil
	case moves.Has(m.To):
		e.Kind = OnlyMoves
	case captures.Has(m.To):
		e.Kind = OnlyCaptures
	default:
		e.Kind = NoWay
	}
	return e
}
