package jungle

import (
	"testing"

	"luzhanqi/game"
)

func TestSpecialSquares(t *testing.T) {
	for sq := range game.Square(squareCount) {
		x, y := XY(sq)
		at := xy{x, y}
		if At(x, y) != sq || Water.Has(sq) != at.isWater() || Traps.Has(sq) != at.isTrap() {
			t.Errorf("%s: square %d, water %v, trap %v", SquareName(sq), sq, Water.Has(sq), Traps.Has(sq))
		}
	}
	if SquareName(Den(game.First)) != "3 8" || SquareName(Den(game.Second)) != "3 0" {
		t.Error("a den is elsewhere")
	}
	if SquareName(Gone) != "square(63)" || Bit(Gone) != 0 || Squares(0).Len() != 0 {
		t.Error("Gone is a square")
	}
}
