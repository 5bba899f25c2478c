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

// setUpSquares are the initial squares by piece, in the owner's frame.
var setUpSquares = makeSetUpSquares()

func makeSetUpSquares() (squares [hiddeninfo.Pieces]game.Square) {
	n := 0
	for sq := range (luzhanqi.OwnHalf &^ luzhanqi.Camps).All() {
		squares[n] = sq
		n++
	}
	return squares
}

// framed turns a square from player 1's frame into a side's, or back.
func framed(side game.Side, sq game.Square) game.Square {
	if side == game.Second {
		return luzhanqi.Turn(sq)
	}
	return sq
}

func newPublic() public {
	s := public{flag: [2]game.Square{tables.Nowhere, tables.Nowhere}}
	for side := range game.Side(2) {
		for p, home := range setUpSquares {
			sq := framed(side, home)
			s.of[side] |= luzhanqi.Bit(sq)
			s.piece[sq] = int8(p)
		}
	}
	return s
}

// fits says whether a piece stands where the move begins, and whether the result suits what stands
// where it ends.
func (s *public) fits(o *luzhanqi.Observation) bool {
	from, to := o.Move.From, o.Move.To
	if o.Mover > game.Second || from >= tables.SquareCount || to >= tables.SquareCount {
		return false
	}
	own, enemy := s.of[o.Mover], s.of[o.Mover.Other()]
	return own.Has(from) && !own.Has(to) && enemy.Has(to) == (o.Result != luzhanqi.Quiet)
}

// play takes in a move that fits.
func (s *public) play(o *luzhanqi.Observation) {
	from, to := o.Move.From, o.Move.To
	me, enemy := o.Mover, o.Mover.Other()
	fight := o.Result != luzhanqi.Quiet
	p := s.piece[from]
	s.moved[me] |= 1 << p
	s.last[me] = o.Move
	s.of[me] &^= luzhanqi.Bit(from)
	if o.Result.DefenderFalls() {
		s.of[enemy] &^= luzhanqi.Bit(to)
	} else if fight {
		s.wins[enemy][s.piece[to]]++
	}
	if !o.Result.AttackerFalls() {
		s.of[me] |= luzhanqi.Bit(to)
		s.piece[to] = p
		if fight {
			s.wins[me][p]++
		}
	}
	for _, f := range o.Flags {
		if f.Owner <= game.Second && luzhanqi.Headquarters.Has(f.Square) {
			s.flag[f.Owner] = f.Square
		}
	}
}

func (s *public) hasMoved(side game.Side, p int8) bool { return s.moved[side]>>p&1 != 0 }

// latest is a side's latest move; false before its first.
func (s *public) latest(side game.Side) (game.Move, bool) {
	m := s.last[side]
	return m, m.From != m.To
}
