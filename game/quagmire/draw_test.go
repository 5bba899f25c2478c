package quagmire

import (
	"strings"
	"testing"

	"luzhanqi/game"
)

func TestDraw(t *testing.T) {
	b := mustBoard(t, example)
	if got := b.Draw(game.DrawStyle{}); got != exampleDrawn {
		t.Errorf("got\n%s", got)
	}
	p := NewPosition()
	if got := p.Draw(game.DrawStyle{}); got != startDrawn {
		t.Errorf("got\n%s", got)
	}
	m := mustMove(t, "c2 c4")
	after := p.Play(m)
	want := strings.Replace(startDrawn, "|O|O|O|.|.|.|.|.| 2", "|O|O|:|.|.|.|.|.| 2", 1)
	want = strings.Replace(want, "|O|.|.|.|.|.|.|.| 4", "|O|.|o|.|.|.|.|.| 4", 1)
	for side := range game.Side(2) {
		if got := after.View(side).Draw(game.DrawStyle{Last: &m}); got != want {
			t.Errorf("last move marked for %v:\n%s", side, got)
		}
	}
	colored := after.Draw(game.DrawStyle{Color: true, Last: &m})
	if got := strings.Count(colored, game.PaintLast); got != 2 {
		t.Errorf("%d squares in reverse video, want 2:\n%s", got, colored)
	}
	uncolored := strings.NewReplacer(colors['O'], "", colors['X'], "", game.PaintLast, "", "\x1b[0m", "").Replace(colored)
	if uncolored != after.Draw(game.DrawStyle{}) {
		t.Errorf("colours change the board:\n%s", uncolored)
	}
}
