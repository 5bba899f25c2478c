package luzhanqi

import (
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// What lost most games to rushers: a piece two steps from a gate that is open. The quick policy looks at a few quiet
// moves and rarely at the one that decides, a side that storms looks at it always.
func TestStormSeesTheStepBeforeTheGate(t *testing.T) {
	var b luzhanqi.Board
	put(t, &b, game.First, "D10:7", "A1:4", "A2:4", "B2:4", "D2:4", "E1:4", "E2:4", "A6:5", "C6:5", "E6:5", "D1:F", "C1:L")
	put(t, &b, game.Second, "B12:F", "A12:L", "B11:L", "A7:4", "B9:4", "E7:5")
	w := allKnown(&b)
	storms := newWays(w.start.of[game.First], w.start.of[game.Second])
	w.ways = &storms
	taken := func(ahead uint8) (flags int) {
		for turn := range 100 {
			s := w.start
			s.aim = [2]game.Square{at(t, "B12"), at(t, "D1")}
			s.ahead[game.First] = ahead
			r := newRNG(1, 0, turn)
			w.playout(&s, 5, &r, &moveBuffer{})
			if s.lost == int8(game.Second)+1 {
				flags++
			}
		}
		return flags
	}
	quick, storm := taken(rushing), taken(storming)
	if quick > 20 || storm < 50 {
		t.Errorf("of 100 flags that few guard, a rush takes %d in 5 plies and a storm %d: not at most 20 and at least 50", quick, storm)
	}
}

// A square is worth less, the longer and the fuller the way from it to the headquarters.
func TestWays(t *testing.T) {
	own, flag := luzhanqi.Bit(at(t, "E6")), luzhanqi.Bit(at(t, "D12"))
	free := newWays(own, flag)
	full := newWays(own, flag|luzhanqi.Bit(at(t, "E11")))
	d12 := wayTo(at(t, "D12"))
	for _, near := range [][2]string{{"D12", "E12"}, {"E12", "E11"}, {"E11", "D9"}, {"D10", "C9"}} {
		if a, b := free[d12][at(t, near[0])], free[d12][at(t, near[1])]; a <= b {
			t.Errorf("%s is worth %d, %s %d: the nearer one must be worth more", near[0], a, near[1], b)
		}
	}
	if a, b := free[d12][at(t, "E6")], full[d12][at(t, "E6")]; a <= b {
		t.Errorf("E6 is worth %d with a free railway, %d with a piece on it: must be worth more", a, b)
	}
}
