package gastank

import (
	"math/bits"

	"luzhanqi/game"
)

// Board is every piece with its gas by square, without whose turn it is. It is 48 bytes without
// pointers, so copying it is the way to keep it, and == compares positions. The zero value is the
// empty board.
//
// Kings neither leap nor slide, knights leap, bishops slide, queens do both: two sets say what every
// piece is. All sets but of are zero where nobody stands, which == relies on.
type Board struct {
	of     [2]Squares
	leaps  Squares    // knights and queens
	slides Squares    // bishops and queens
	gas    [2]Squares // the two bits of each tank, the lower one first
}

// Start is the initial position; player 1 plays up from ranks 1 and 2.
func Start() Board {
	var b Board
	for side := range game.Side(2) {
		for name, kind := range map[string]Kind{
			"C1": Bishop, "D1": Queen, "E1": King, "F1": Bishop, "D2": Knight, "F2": Knight,
		} {
			sq, _ := ParseSquare(name) // a constant
			if side == game.Second {
				sq = Mirror(sq)
			}
			b.Put(sq, side, kind, FullTank)
		}
	}
	return b
}

// Of returns the squares of a side's pieces, Occupied those of all.
func (b *Board) Of(side game.Side) Squares { return b.of[side&1] }
func (b *Board) Occupied() Squares         { return b.of[0] | b.of[1] }

// Fuelled returns the squares of all pieces that have gas.
func (b *Board) Fuelled() Squares { return b.gas[0] | b.gas[1] }

// With returns the squares of both sides' pieces of a kind.
func (b *Board) With(kind Kind) Squares {
	switch kind {
	case King:
		return b.Occupied() &^ (b.leaps | b.slides)
	case Knight:
		return b.leaps &^ b.slides
	case Bishop:
		return b.slides &^ b.leaps
	case Queen:
		return b.leaps & b.slides
	}
	return 0
}

// WithGas returns the squares of both sides' pieces that have exactly so many moves of gas.
func (b *Board) WithGas(moves int) Squares {
	s := b.Occupied()
	for bit, plane := range b.gas {
		if moves>>bit&1 != 0 {
			s &= plane
		} else {
			s &^= plane
		}
	}
	return s
}

// Kind returns what stands on sq: None when nothing does.
func (b *Board) Kind(sq game.Square) Kind {
	sq &= 63
	here := b.Occupied() >> sq & 1
	return Kind(here + b.leaps>>sq&1 + b.slides>>sq&1<<1)
}

// Gas returns how many moves the piece on sq still has, 0 to 3; 0 when nobody stands there.
func (b *Board) Gas(sq game.Square) int {
	sq &= 63
	return int(b.gas[0]>>sq&1 | b.gas[1]>>sq&1<<1)
}

// At returns the piece on sq; ok is false when there is none.
func (b *Board) At(sq game.Square) (side game.Side, kind Kind, gas int, ok bool) {
	kind = b.Kind(sq)
	return game.Side(b.of[1] >> (sq & 63) & 1), kind, b.Gas(sq), kind != None
}

// King returns where a side's king stands; ok is false when it was captured.
func (b *Board) King(side game.Side) (sq game.Square, ok bool) {
	s := b.With(King) & b.Of(side)
	if s == 0 {
		return 0, false
	}
	return s.First(), true
}

// Put places a piece on sq, in the place of what stood there; gas is 0 to 3. None removes.
func (b *Board) Put(sq game.Square, side game.Side, kind Kind, gas int) {
	bit := Bit(sq)
	for _, s := range []*Squares{&b.of[0], &b.of[1], &b.leaps, &b.slides, &b.gas[0], &b.gas[1]} {
		*s &^= bit
	}
	if sq >= squareCount || kind == None || kind > Queen {
		return
	}
	b.of[side&1] |= bit
	if kind == Knight || kind == Queen {
		b.leaps |= bit
	}
	if kind == Bishop || kind == Queen {
		b.slides |= bit
	}
	b.gas[0] |= Squares(gas&1) << sq
	b.gas[1] |= Squares(gas>>1&1) << sq
}

// Mirror returns the board as the other side sees it: ranks counted from the other end, and the
// sides swapped.
func (b *Board) Mirror() Board {
	return Board{
		of:    [2]Squares{mirrorSet(b.of[1]), mirrorSet(b.of[0])},
		leaps: mirrorSet(b.leaps), slides: mirrorSet(b.slides),
		gas: [2]Squares{mirrorSet(b.gas[0]), mirrorSet(b.gas[1])},
	}
}

// Key is a hash of the pieces, their gas and the side to move. Different positions share one with
// probability 2⁻⁶⁴, as far as is known; there is no proof of it. It is computed from the six sets
// when asked for (5 to 10 ns), since keeping it up to date would cost Play more.
func (b *Board) Key(mover game.Side) uint64 {
	// Odd constants without structure: digits of π, as in Blowfish.
	const k0, k1, k2, k3, k4, k5, k6 = 0x243f6a8885a308d3, 0x13198a2e03707345, 0xa4093822299f31d1,
		0x082efa98ec4e6c89, 0x452821e638d01377, 0xbe5466cf34e90c6d, 0xc0ac29b7c97c50dd
	h := fold(uint64(b.of[0])^k0, uint64(b.of[1])^k1)
	h ^= fold(uint64(b.leaps)^k2, uint64(b.slides)^k3)
	h ^= fold(uint64(b.gas[0])^k4, uint64(b.gas[1])^k5)
	return fold(h^uint64(mover&1), k6)
}

// fold multiplies to 128 bits and adds the halves without carry, so that each bit depends on many.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// SamePlaces compares boards but for the gas: a program that miscounts or does not show it still shows
// where everything stands, and two moves never leave all pieces on the same squares.
func (b Board) SamePlaces(other Board) bool {
	b.gas, other.gas = [2]Squares{}, [2]Squares{}
	return b == other
}
