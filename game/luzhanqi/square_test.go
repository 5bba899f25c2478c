package luzhanqi

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
)

func TestTurn(t *testing.T) {
	for from, want := range map[string]string{"A1": "E12", "B6": "D7", "C4": "C9", "D1": "B12"} {
		if got := SquareName(Turn(mustSquare(t, from))); got != want {
			t.Errorf("%s turned is %s, want %s", from, got, want)
		}
	}
	for sq := range game.Square(squareCount) {
		if TurnSquares(Bit(sq)) != Bit(Turn(sq)) {
			t.Errorf("%s: the set turns otherwise than the square", SquareName(sq))
		}
	}
	if got := TurnMove(mustMove(t, "A6 A7")); MoveName(got) != "E7 E6" {
		t.Errorf("A6 A7 turned is %s, want E7 E6", MoveName(got))
	}
}

// The constants are written as bits for speed; here they are the words of the rules.
func TestNamedSquares(t *testing.T) {
	set := func(text string) (s Squares) {
		for name := range strings.FieldsSeq(text) {
			s |= Bit(mustSquare(t, name))
		}
		return s
	}
	railway := set(strings.Join(slices.Concat(referenceRailways...), " "))
	for name, c := range map[string]struct{ got, want Squares }{
		"camps":        {Camps, set("B3 D3 C4 B5 D5 D10 B10 C9 D8 B8")},
		"headquarters": {Headquarters, set("B1 D1 D12 B12")},
		"railway":      {Railway, railway},
		"own half":     {OwnHalf, EverySquare &^ TurnSquares(OwnHalf)},
		"back rows":    {BackRows, set("A1 B1 C1 D1 E1 A2 B2 C2 D2 E2")},
		"front row":    {FrontRow, set("A6 B6 C6 D6 E6")},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, names(c.got), names(c.want))
		}
	}
	for _, s := range []Squares{Camps, Headquarters, Railway, EverySquare} {
		if TurnSquares(s) != s {
			t.Errorf("%s: not the same when turned", names(s))
		}
	}
	if got := OwnHalf.Len(); got != 30 {
		t.Errorf("the own half has %d squares, want 30", got)
	}
	for side := range game.Side(2) {
		b := Deploy(RandomSetUp(rand.New(rand.NewPCG(1, 1))), RandomSetUp(rand.New(rand.NewPCG(1, 2))))
		if of := b.Of(side); of&^HalfOf(side) != 0 || HalfOf(side).Len() != 30 {
			t.Errorf("side %d sets up on %s, its half is %s", side+1, names(of), names(HalfOf(side)))
		}
	}
}

func TestAllStopsWhenAsked(t *testing.T) {
	seen := 0
	for range EverySquare.All() {
		if seen++; seen == 3 {
			break
		}
	}
	if seen != 3 {
		t.Errorf("%d squares, want 3", seen)
	}
}
