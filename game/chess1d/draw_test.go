package chess1d

import (
	"strings"
	"testing"

	"luzhanqi/game"

	"github.com/google/go-cmp/cmp"
)

func TestDraw(t *testing.T) {
	p := play(t, NewPosition(mustBoard(t, "kahf       FHAK"), game.First, false), "25")
	want := `┌───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┐
│ k │ a │» «│ f │   │»h«│   │   │   │   │   │ F │ H │ A │ K │
└───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┘
  0   1   2   3   4   5   6   7   8   9   a   b   c   d   e 
  player 1 → small letters                 capitals ← player 2
`
	last := game.Move{From: 2, To: 5}
	if diff := cmp.Diff(want, p.Draw(game.DrawStyle{Last: &last})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = `┌───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┐
│ k │ a │ h │ f │   │   │   │   │   │»H«│   │ F │» «│ A │ K │
└───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┘
  0   1   2   3   4   5   6   7   8   9   a   b   c   d   e 
  player 2 → small letters                 capitals ← player 1
`
	if diff := cmp.Diff(want, p.View(game.Second).Draw(game.DrawStyle{Last: &last})); diff != "" {
		t.Errorf("player 2 (-want +got):\n%s", diff)
	}
	inColor := game.DrawStyle{Color: true}
	if got := p.Draw(inColor); !strings.Contains(got, inColor.Paint(game.PaintFirst, " h ")) || !strings.Contains(got, inColor.Paint(game.PaintSecond, " H ")) {
		t.Errorf("colours: %q", got)
	}
}
