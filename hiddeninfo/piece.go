package hiddeninfo

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// Pieces is the number of pieces in an army, dead ones included.
const Pieces = luzhanqi.ArmySize

// Piece is the identity of one side's piece: the place of its initial square among the 25 of a
// set-up, in its owner's frame, by rows from A1 to E6. It stays when the piece moves or falls, and
// it means the same for both sides, so that tables by piece serve either.
type Piece int

// Homes are the squares of a set-up by piece, in the owner's frame.
var Homes = func() (squares [Pieces]game.Square) {
	n := 0
	for sq := range (luzhanqi.OwnHalf &^ luzhanqi.Camps).All() {
		squares[n] = sq
		n++
	}
	return squares
}()

// home is where side's piece was set up, in player 1's frame.
func (p Piece) home(side game.Side) game.Square {
	if side == game.Second {
		return luzhanqi.Turn(Homes[p])
	}
	return Homes[p]
}

// setUpMask returns the ranks that the rules of the set-up allow a piece.
func (p Piece) setUpMask() Mask {
	m := AnyRank
	sq := Homes[p]
	if !luzhanqi.Headquarters.Has(sq) {
		m &^= Only(luzhanqi.Flag)
	}
	if !luzhanqi.BackRows.Has(sq) {
		m &^= Only(luzhanqi.Landmine)
	}
	if luzhanqi.FrontRow.Has(sq) {
		m &^= Only(luzhanqi.Bomb)
	}
	return m
}
