package likelihood

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// public is what everybody sees of a game: where whose pieces stand, which have moved, how many
// combats each has won, shown flags. Pieces have the numbers of hiddeninfo.Piece.
type public struct {
	of    [2]luzhanqi.Squares
	piece [64]int8 // by square; meaningless where nobody stands
	moved [2]uint32
	wins  [2][hiddeninfo.Pieces]uint8
	flag  [2]game.Square // as shown, or nowhere
	last  [2]game.Move   // from and to are equal before a side's first
}

// framed turns a square from player 1's frame into a side's, or back.
func framed(side game.Side, sq game.Square) game.Square {
	if side == game.Second {
		return luzhanqi.Turn(sq)
	}
	return sq
}

func newPublic() public {
	pub := public{flag: [2]game.Square{tables.Nowhere, tables.Nowhere}}
	for side := range game.Side(2) {
		for p, home := range hiddeninfo.Homes {
			sq := framed(side, home)
			pub.of[side] |= luzhanqi.Bit(sq)
			pub.piece[sq] = int8(p)
		}
	}
	return pub
}

// fits says whether a piece stands where the move begins, and whether the result suits what stands
// where it ends.
func (pub *public) fits(o *luzhanqi.Observation) bool {
	from, to := o.Move.From, o.Move.To
	if o.Mover > game.Second || from >= tables.SquareCount || to >= tables.SquareCount {
		return false
	}
	own, enemy := pub.of[o.Mover], pub.of[o.Mover.Other()]
	return own.Has(from) && !own.Has(to) && enemy.Has(to) == (o.Result != luzhanqi.Quiet)
}

// play takes in a move that fits.
func (pub *public) play(o *luzhanqi.Observation) {
	from, to := o.Move.From, o.Move.To
	me, enemy := o.Mover, o.Mover.Other()
	fight := o.Result != luzhanqi.Quiet
	p := pub.piece[from]
	pub.moved[me] |= 1 << p
	pub.last[me] = o.Move
	pub.of[me] &^= luzhanqi.Bit(from)
	if o.Result.DefenderFalls() {
		pub.of[enemy] &^= luzhanqi.Bit(to)
	} else if fight {
		pub.wins[enemy][pub.piece[to]]++
	}
	if !o.Result.AttackerFalls() {
		pub.of[me] |= luzhanqi.Bit(to)
		pub.piece[to] = p
		if fight {
			pub.wins[me][p]++
		}
	}
	for _, f := range o.Flags {
		if f.Owner <= game.Second && luzhanqi.Headquarters.Has(f.Square) {
			pub.flag[f.Owner] = f.Square
		}
	}
}

func (pub *public) hasMoved(side game.Side, p int8) bool { return pub.moved[side]>>p&1 != 0 }

// latest is a side's latest move; false before its first.
func (pub *public) latest(side game.Side) (game.Move, bool) {
	m := pub.last[side]
	return m, m.From != m.To
}
