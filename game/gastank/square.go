package gastank

import (
	"math/bits"

	"luzhanqi/game"
)

// A square's number is its file (A = 0) plus eight times its rank less one, in player 1's frame: A1
// is 0, H1 is 7 and H7 is 55.
const (
	// Files and Ranks are the size of the board.
	Files       = 8
	Ranks       = 7
	squareCount = Files * Ranks
)

// Mirror returns the square of the same file with the ranks counted from the other side: A1 becomes
// A7. The initial position is mirrored so, not turned.
func Mirror(sq game.Square) game.Square {
	if sq >= squareCount {
		return sq
	}
	return (Ranks-1-sq/Files)*Files + sq%Files
}

// MirrorMove mirrors both squares.
func MirrorMove(m game.Move) game.Move { return game.Move{From: Mirror(m.From), To: Mirror(m.To)} }

// InFrame returns the move as someone sees it for whom side's men start on ranks 1 and 2.
func InFrame(m game.Move, side game.Side) game.Move {
	if side == game.Second {
		return MirrorMove(m)
	}
	return m
}

// Squares is a set of squares. Bits 56 to 63 are always zero.
type Squares = game.Squares

// Bit returns the set of one square.
func Bit(sq game.Square) Squares { return 1 << (sq & 63) }

// mirrorSet turns rank 1 into rank 7: a rank is a byte, and the eighth is always empty.
func mirrorSet(s Squares) Squares { return Squares(bits.ReverseBytes64(uint64(s)) >> Files) }
