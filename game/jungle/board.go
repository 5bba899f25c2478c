package jungle

import (
	"math/bits"

	"luzhanqi/game"
)

// Reading is how the rules are read where the public referee differs from the assignment's words.
type Reading uint8

// The readings. They differ in one point: see the README.
const (
	Referee   Reading = iota // an attacker that stands on a trap keeps its strength
	Statement                // it has none
)

// Board is where every piece stands, without whose turn it is. It is 40 bytes without pointers: a
// value to be copied and compared with ==. The zero value is the empty board in the referee's
// reading.
//
// The order of the referee's list of pieces needs no place in it: the list begins in the order of
// the kinds and only ever loses pieces, so it always has that order.
type Board struct {
	// Byte k of a side's word is the square of its piece of kind k, exclusive-or 63, so that a
	// piece that is gone is a zero.
	squares [2]uint64
	of      [2]Squares
	weak    Squares // where an attacker has no strength: nowhere, or on the traps
}

const (
	everyByte = 0x0101010101010101
	allGone   = everyByte * uint64(Gone)
)

// Empty returns the board without pieces.
func Empty(r Reading) Board {
	if r == Statement {
		return Board{weak: Traps}
	}
	return Board{}
}

// Start returns the initial position; red, the first side, begins.
func Start(r Reading) Board { return starts[r&1] }

var starts = [2]Board{Referee: mustStart(Referee), Statement: mustStart(Statement)}

func mustStart(r Reading) Board {
	b, err := ParseBoard("E06 L68 T08 P46 W26 D57 C17 R66 e62 l00 t60 p22 w42 d11 c51 r02", r)
	if err != nil {
		panic(err) // the text above is part of the program
	}
	return b
}

// Reading returns the rules by which the board is played.
func (b *Board) Reading() Reading {
	if b.weak != 0 {
		return Statement
	}
	return Referee
}

// Of returns the squares of a side's pieces, Occupied those of all.
func (b *Board) Of(side game.Side) Squares { return b.of[side&1] }
func (b *Board) Occupied() Squares         { return b.of[0] | b.of[1] }

// Square returns where a side's piece of a kind stands: Gone when it was captured.
func (b *Board) Square(side game.Side, k Kind) game.Square {
	return game.Square(b.squares[side&1]>>(k&7*8)&63) ^ Gone
}

// At returns the piece on sq; ok is false when there is none.
func (b *Board) At(sq game.Square) (side game.Side, k Kind, ok bool) {
	if !b.Occupied().Has(sq) {
		return 0, 0, false
	}
	side = game.Side(b.of[1] >> (sq & 63) & 1)
	return side, Kind(find(b.squares[side], sq)/8) & 7, true
}

// find returns the position of the lowest bit of the byte that holds sq in one side's word; 64 when
// none does.
func find(word uint64, sq game.Square) int {
	differs := word ^ uint64(sq&63^Gone)*everyByte
	// Bytes are below 128, so adding 127 sets the highest bit of those that are not zero, and no
	// byte carries into the next.
	zero := ^(differs + 0x7f*everyByte) & (0x80 * everyByte)
	return bits.TrailingZeros64(zero) &^ 7
}

// Play returns the board after the legal move m; after another the board means nothing.
//
// It has no branch: whether a move captures is too irregular for a processor to predict. A shift
// by 64 gives zero, so what find does not find changes nothing. That it takes a pointer and fills
// in a new board makes it twice as fast as changing a copy.
func (b *Board) Play(m game.Move) (next Board) {
	from, to := m.From&63, m.To&63
	side := b.of[1] >> from & 1
	mine, theirs := b.squares[side], b.squares[side^1]
	next.squares[side] = mine ^ uint64(from^to)<<find(mine, from)
	next.squares[side^1] = theirs ^ uint64(to^Gone)<<find(theirs, to)
	next.of[side] = b.of[side] ^ (1<<from | 1<<to)
	next.of[side^1] = b.of[side^1] &^ (1 << to)
	next.weak = b.weak
	return next
}

// Winner returns the side that stands in the other's den.
func (b *Board) Winner() (side game.Side, ok bool) {
	switch {
	case b.of[game.First].Has(BlueDen):
		return game.First, true
	case b.of[game.Second].Has(RedDen):
		return game.Second, true
	}
	return 0, false
}

// Put places a side's piece of a kind on sq, wherever it stood before, in the place of what stood
// on sq. On Gone it is taken away.
func (b *Board) Put(sq game.Square, side game.Side, k Kind) {
	side, k = side&1, k&7
	b.Remove(sq)
	b.Remove(b.Square(side, k))
	b.squares[side] |= uint64(sq&63^Gone) << (k * 8)
	b.of[side] |= Bit(sq)
}

// Remove takes away what stands on sq, if anything.
func (b *Board) Remove(sq game.Square) {
	side, k, ok := b.At(sq)
	if !ok {
		return
	}
	b.squares[side] &^= 63 << (k * 8)
	b.of[side] &^= Bit(sq)
}

// Key returns a hash of the board and the side to move, for tables. Boards with equal pieces have
// equal keys, whatever their reading.
func (b *Board) Key(mover game.Side) uint64 {
	// Squares fill six bits of each byte, so no factor can become zero.
	high, low := bits.Mul64(b.squares[0]^0xa0761d6478bd642f, b.squares[1]^0xe7037ed1a0b428db)
	high, low = bits.Mul64(high^low^0x8ebc6af09c88c6e3, low+0x589965cc75374cc3^uint64(mover&1)<<32)
	return high ^ low
}
