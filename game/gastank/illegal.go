package gastank

import (
	"fmt"

	"luzhanqi/game"
)

// IllegalMove says why a move cannot be played. It names squares in player 1's frame; InFrame names them
// as a side sees them whose own men start on ranks 1 and 2.
type IllegalMove struct {
	move game.Move
	kind Kind // on the from square
	why  reason
}

type reason uint8

const (
	offBoard reason = iota
	emptySquare
	enemyPiece
	noGas
	ownKing
	blocked
	noSuchStep
)

var _ game.FramedError = (*IllegalMove)(nil)

// Why says why side may not play m on this board: an *IllegalMove, or nil when m is legal. It does
// not look at whether the game is over.
func (b *Board) Why(side game.Side, m game.Move) error {
	owner, kind, _, ok := b.At(m.From)
	e := &IllegalMove{move: m, kind: kind}
	switch {
	case m.From >= squareCount || m.To >= squareCount:
		e.why = offBoard
	case !ok:
		e.why = emptySquare
	case owner != side&1:
		e.why = enemyPiece
	case b.Targets(m.From).Has(m.To):
		return nil
	case b.Gas(m.From) == 0:
		e.why = noGas
	case b.reach(m.From).Has(m.To):
		e.why = ownKing
	default:
		empty := Board{leaps: b.leaps, slides: b.slides}
		e.why = noSuchStep
		if empty.reach(m.From).Has(m.To) {
			e.why = blocked
		}
	}
	return e
}

func (e *IllegalMove) InFrame(side game.Side) error {
	in := *e
	in.move = InFrame(e.move, side)
	return &in
}

func (e *IllegalMove) Error() string {
	from, to := SquareName(e.move.From), SquareName(e.move.To)
	why := ""
	switch e.why {
	case offBoard:
		why = "is off the board: squares are A1 to H7"
	case emptySquare:
		why = fmt.Sprintf("nothing stands on %s", from)
	case enemyPiece:
		why = fmt.Sprintf("the %v on %s is the opponent's", e.kind, from)
	case noGas:
		why = fmt.Sprintf("the %v on %s has no gas left", e.kind, from)
	case ownKing:
		why = fmt.Sprintf("the own king stands on %s and cannot be captured", to)
	case blocked:
		why = fmt.Sprintf("a piece stands between %s and %s, and a %v cannot jump over it on a diagonal", from, to, e.kind)
	case noSuchStep:
		why = fmt.Sprintf("a %v moves %s", e.kind, [...]string{
			King:   "one square in any direction",
			Knight: "two squares one way and one the other",
			Bishop: "along a diagonal",
			Queen:  "as a knight or along a diagonal",
		}[e.kind])
	}
	return fmt.Sprintf("%s%s: %s", from, to, why)
}
