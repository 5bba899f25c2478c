package luzhanqi

import (
	"luzhanqi/game"
)

// Board is every piece by square: the exact configuration, without whose turn it is. It is 48
// bytes without pointers, so copying it is the way to keep it, and == is the comparison that
// repetition needs. The zero value is the empty board.
//
// The squares of each side are one set; a piece's rank is the four bits that the planes have at
// its square. Planes are zero where nobody stands, which == relies on.
type Board struct {
	of     [2]Squares
	planes [4]Squares
}

// Of returns the squares of a side's pieces, Occupied those of all.
func (b *Board) Of(side game.Side) Squares { return b.of[side&1] }
func (b *Board) Occupied() Squares         { return b.of[0] | b.of[1] }

// At returns the piece on sq; ok is false when there is none.
func (b *Board) At(sq game.Square) (side game.Side, rank Rank, ok bool) {
	return game.Side(b.of[1] >> (sq & 63) & 1), b.rank(sq), b.Occupied().Has(sq)
}

// rank reads the planes: None where nobody stands.
func (b *Board) rank(sq game.Square) Rank {
	sq &= 63
	return Rank(b.planes[0]>>sq&1 | b.planes[1]>>sq&1<<1 | b.planes[2]>>sq&1<<2 | b.planes[3]>>sq&1<<3)
}

// WithRank returns the squares of both sides' pieces of a rank.
func (b *Board) WithRank(rank Rank) Squares {
	s := b.Occupied()
	for bit, plane := range b.planes {
		if rank>>bit&1 != 0 {
			s &= plane
		} else {
			s &^= plane
		}
	}
	return s
}

// fixed are the flags and the landmines: the codes with bits 3 and 2.
func (b *Board) fixed() Squares { return b.planes[3] & b.planes[2] }

// engineers are those of both sides: code 1.
func (b *Board) engineers() Squares {
	return b.planes[0] &^ (b.planes[1] | b.planes[2] | b.planes[3])
}

// Flag returns where a side's flag stands; ok is false when it has none.
func (b *Board) Flag(side game.Side) (sq game.Square, ok bool) {
	s := b.WithRank(Flag) & b.Of(side)
	if s == 0 {
		return 0, false
	}
	return s.First(), true
}

// hash chooses the bucket in which repetition looks for the board.
func (b *Board) hash() uint64 { return (uint64(b.of[0]) ^ uint64(b.of[1])*3) * 0x9e3779b97f4a7c15 }

// Put places a piece on sq, in the place of what stood there. Putting None removes it.
func (b *Board) Put(sq game.Square, side game.Side, rank Rank) {
	b.Remove(sq)
	if !rank.valid() {
		return
	}
	b.of[side&1] |= Bit(sq)
	for bit := range b.planes {
		b.planes[bit] |= Squares(rank>>bit&1) << (sq & 63)
	}
}

// Remove takes away what stands on sq, if anything.
func (b *Board) Remove(sq game.Square) {
	gone := Bit(sq)
	b.of[0] &^= gone
	b.of[1] &^= gone
	for bit := range b.planes {
		b.planes[bit] &^= gone
	}
}

// Play turns the board into the one after the legal move m, and says what the mover's piece and
// the piece on the target were (None if there was none) and what became of them. If either has
// fallen and was a field marshal, its side's flag must be shown; see Flag.
//
// It has no branch: whether a move captures is too irregular for a processor to predict. Playing
// an illegal move leaves the board in a state without meaning.
func (b *Board) Play(m game.Move, minesStay bool) (result Result, attacker, defender Rank) {
	from, to := m.From&63, m.To&63
	stay := 0
	if minesStay {
		stay = 1
	}
	attacker, defender = b.rank(from), b.rank(to)
	f := fights[stay][(attacker*rankCodes+defender)&(rankCodes*rankCodes-1)]

	side := b.of[1] >> from & 1
	b.of[side] = b.of[side]&^(1<<from) | Squares(f.attackerStays)<<to
	b.of[side^1] = b.of[side^1]&^(1<<to) | Squares(f.defenderStays)<<to
	kept := ^(Squares(1)<<from | Squares(1)<<to)
	stands := Squares(f.stands)
	b.planes[0] = b.planes[0]&kept | stands&1<<to
	b.planes[1] = b.planes[1]&kept | stands>>1&1<<to
	b.planes[2] = b.planes[2]&kept | stands>>2&1<<to
	b.planes[3] = b.planes[3]&kept | stands>>3&1<<to
	return f.result, attacker, defender
}

// Turn returns the board as the other side sees it: turned by 180°, with the sides swapped.
func (b *Board) Turn() Board {
	t := Board{of: [2]Squares{TurnSquares(b.of[1]), TurnSquares(b.of[0])}}
	for bit, plane := range b.planes {
		t.planes[bit] = TurnSquares(plane)
	}
	return t
}
