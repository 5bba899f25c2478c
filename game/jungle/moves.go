package jungle

import (
	"slices"

	"luzhanqi/game"
)

// MaxMoves is the most moves that a side can have: four for each piece, since a jump takes the place
// of a step.
const MaxMoves = 4 * Kinds

// Moves appends the moves of a side to dst in the referee's order: piece by piece in the order of
// the kinds; for each the steps left, right, up and down; then its jumps. It does not look whether
// the game is over; see Winner. With room for MaxMoves in dst it does not allocate.
func (b *Board) Moves(side game.Side, dst []game.Move) []game.Move {
	side &= 1
	n := len(dst)
	dst = slices.Grow(dst, MaxMoves)[:n+MaxMoves]
	occupied := b.of[0] | b.of[1]
	prey := b.prey(side)
	word := b.squares[side]
	for k := range prey {
		code := game.Square(word & 63)
		word >>= 8
		if code == 0 {
			continue
		}
		from := code ^ Gone
		takes := prey[k]
		if b.weak.Has(from) {
			takes = b.weakened(takes, side, Kind(k))
		}
		onto := reach[side][k][from] & (^occupied | takes)
		near := onto & steps[from]
		*(*[4]game.Move)(dst[n:]) = stepMoves[from][directionsTo(from, near)]
		n += near.Len()
		if onto == near {
			continue
		}
		for _, j := range jumps[from] {
			if onto.Has(j.To) && occupied&j.Over == 0 {
				dst[n] = game.Move{From: from, To: j.To}
				n++
			}
		}
	}
	return dst[:n]
}

// HasMove says whether a side has any legal move.
func (b *Board) HasMove(side game.Side) bool {
	var room [MaxMoves]game.Move
	return len(b.Moves(side, room[:0])) > 0
}

// prey returns, by kind of the side's attacker, the squares of the enemy pieces that it may take.
// Bit 63 means nothing: it stands for those that are gone.
func (b *Board) prey(side game.Side) (of [Kinds]Squares) {
	enemy := b.squares[side^1] ^ allGone
	at := func(k Kind) Squares { return 1 << (enemy >> (k * 8) & 63) }
	trapped := b.of[side^1] & Traps
	rat, elephant := at(Rat), at(Elephant)

	of[Cat] = trapped | rat | at(Cat)
	of[Wolf] = of[Cat] | at(Wolf)
	of[Dog] = of[Wolf] | at(Dog)
	of[Panther] = of[Dog] | at(Panther)
	of[Tiger] = of[Panther] | at(Tiger)
	of[Lion] = of[Tiger] | at(Lion)
	of[Elephant] = (of[Lion]|elephant)&^rat | trapped
	of[Rat] = trapped | rat | elephant
	if Water.Has(b.Square(side, Rat)) {
		of[Rat] &= Water // from there it takes nobody on land
	}
	return of
}

// weakened returns what is left of the prey of an attacker of kind k without strength: who stands on
// a trap has none either, and that rats take elephants is no matter of strength.
func (b *Board) weakened(prey Squares, side game.Side, k Kind) Squares {
	left := b.of[side^1] & Traps
	if k == Rat {
		left |= Bit(b.Square(side^1, Elephant))
	}
	return prey & left
}
