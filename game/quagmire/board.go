package quagmire

import (
	"fmt"
	"math/bits"

	"luzhanqi/game"
)

// Board is where the pieces stand, and which piece each side may not move because it moved it on
// its last turn. It is 24 bytes without pointers, so copying it is the way to keep it, and == says
// whether two boards have the same future. Whose turn it is, the caller knows.
//
// The pieces of a side are all alike and are never captured, so the square where a piece stands is
// enough to know it again.
type Board struct {
	of   [2]Squares
	last [2]game.Square // where the piece stands that the side moved last; NoSquare before its first move
}

// Start is the board on which a game begins, O in the corner of a1, X in that of h8.
func Start() Board {
	return Board{
		of:   [2]Squares{0x0f | 0x07<<8 | 0x03<<16 | 0x01<<24, 0xf0<<56 | 0xe0<<48 | 0xc0<<40 | 0x80<<32},
		last: [2]game.Square{NoSquare, NoSquare},
	}
}

// NewBoard is any board. An error says which side's pieces overlap the other's, or that no piece of
// a side stands where one is said to have moved.
func NewBoard(of [2]Squares, last [2]game.Square) (Board, error) {
	if both := of[0] & of[1]; both != 0 {
		return Board{}, fmt.Errorf("%s is filled twice", SquareName(both.First()))
	}
	for side, sq := range last {
		if sq != NoSquare && (sq > NoSquare || !of[side].Has(sq)) {
			return Board{}, fmt.Errorf("no %c stands on %s, where one is said to have moved last", Letter(game.Side(side)), SquareName(sq))
		}
	}
	return Board{of, last}, nil
}

// Of returns the squares of a side's pieces, Occupied those of all.
func (b *Board) Of(side game.Side) Squares { return b.of[side&1] }
func (b *Board) Occupied() Squares         { return b.of[0] | b.of[1] }

// Last returns where the piece stands that a side moved on its last turn and so may not move now;
// NoSquare before its first move.
func (b *Board) Last(side game.Side) game.Square { return b.last[side&1] }

// At returns the side whose piece stands on sq; ok is false when there is none.
func (b *Board) At(sq game.Square) (side game.Side, ok bool) {
	return game.Side(b.of[1] >> (sq & 63) & 1), b.Occupied().Has(sq)
}

// Quagmired returns the pieces of a side that are in Quagmire: every square around one is occupied
// and at least one of them by an enemy. That it may jump away does not change it.
func (b *Board) Quagmired(side game.Side) Squares {
	own, enemy := b.of[side&1], b.of[side&1^1]
	return own & Around(enemy) &^ Around(^(own | enemy))
}

// Play turns the board into the one after the legal move m of the side whose piece stands on
// m.From. Playing an illegal move leaves the board in a state without meaning.
func (b *Board) Play(m game.Move) {
	from, to := m.From&63, m.To&63
	side := b.of[1] >> from & 1
	b.of[side] ^= 1<<from | 1<<to
	b.last[side] = to
}

// Outcome says how the game has ended, if it has, after moved has moved: a player who leaves an own
// piece in Quagmire has lost; only then, a player whose opponent cannot move has won.
func (b *Board) Outcome(moved game.Side) (game.Outcome, bool) {
	switch {
	case b.Quagmired(moved) != 0:
		return game.Won(moved.Other(), leftInQuagmire), true
	case !b.HasMove(moved.Other()):
		return game.Won(moved, noMoves), true
	}
	return game.Outcome{}, false
}

// The reasons of outcomes.
const (
	leftInQuagmire = "opponent left a piece in Quagmire"
	noMoves        = "no legal moves"
)

// Key is 64 well-mixed bits of all that the future depends on: the pieces, the squares moved to
// last, and whose turn it is.
func (b *Board) Key(mover game.Side) uint64 {
	rest := uint64(b.last[0]) | uint64(b.last[1])<<8 | uint64(mover&1)<<16
	return mix(mix(uint64(b.of[0])^0xa0761d6478bd642f, uint64(b.of[1])^0xe7037ed1a0b428db)^rest, 0x8ebc6af09c88c6e3)
}

// mix is the core of the wyhash family: a product of 128 bits folded into 64.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// passable says whether a move takes a piece of side from its square to an empty one, whatever the
// other rules say.
func (b *Board) passable(side game.Side, m game.Move) bool {
	return m.From < squareCount && m.To < squareCount && b.Of(side).Has(m.From) && !b.Occupied().Has(m.To)
}
