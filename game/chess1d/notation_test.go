package chess1d

import (
	"testing"

	"luzhanqi/game"
)

func TestMoveText(t *testing.T) {
	g := Game{}
	for from := range game.Square(Size) {
		for to := range game.Square(Size) {
			m := game.Move{From: from, To: to}
			if got, err := g.ParseMove(g.FormatMove(m)); err != nil || got != m {
				t.Errorf("%v is written %q and read as %v, %v", m, g.FormatMove(m), got, err)
			}
			if TurnMove(TurnMove(m)) != m {
				t.Errorf("%v turned twice is another", m)
			}
		}
	}
	for _, text := range []string{"", "2", "2f", "f2", "A1", " 24", "24 ", "2 4", "244", "2\n4"} {
		if m, err := g.ParseMove(text); err == nil {
			t.Errorf("%q is read as %v", text, m)
		}
	}
}
