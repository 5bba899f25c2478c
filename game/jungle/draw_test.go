package jungle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
)

func TestDraw(t *testing.T) {
	m := game.Move{From: At(0, 6), To: At(0, 5)}
	pos := NewPosition(Start(Referee), game.First).Play(m)
	want := strings.TrimPrefix(`
     0     1     2     3     4     5     6
0  獅l▼   ··  (陷阱)[獸穴](陷阱)  ··   虎t▼  0
1   ··   狗d▼   ··  (陷阱)  ··   貓c▼   ··   1
2  鼠r▼   ··   豹p▼   ··   狼w▼   ··   象e▼  2
3   ··  ~~~~~~~~~~~~  ··  ~~~~~~~~~~~~  ··   3
4   ··  ~~~~~~~~~~~~  ··  ~~~~~~~~~~~~  ··   4
5 »象E▲«~~~~~~~~~~~~  ··  ~~~~~~~~~~~~  ··   5
6 » ·· «  ··   狼W▲   ··   豹P▲   ··   鼠R▲  6
7   ··   貓C▲   ··  (陷阱)  ··   狗D▲   ··   7
8  虎T▲   ··  (陷阱)[獸穴](陷阱)  ··   獅L▲  8
     0     1     2     3     4     5     6
`, "\n")
	if diff := cmp.Diff(want, pos.Draw(game.DrawStyle{Last: &m})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for side := range game.Side(2) { // both sides count from the same corner
		if pos.View(side).Draw(game.DrawStyle{Last: &m}) != want {
			t.Errorf("%s sees something else", Color(side))
		}
	}
	if strings.Contains(pos.Draw(game.DrawStyle{}), "»") {
		t.Error("a last move is marked that was not given")
	}
	style := game.DrawStyle{Color: true, Last: &m}
	colored := pos.Draw(style)
	for _, part := range []string{
		style.Paint(game.PaintFirst, "»象E▲«"), style.Paint(game.PaintSecond, " 鼠r▼ "), style.Paint(game.PaintLast, "» ·· «"), style.Paint(water, "~~~~~~"),
	} {
		if !strings.Contains(colored, part) {
			t.Errorf("%q is not drawn", part)
		}
	}
}

// A piece in the water, on a trap or in a den is seen to stand there.
func TestDrawGroundBesidePieces(t *testing.T) {
	got := NewPosition(mustBoard(t, "R13 L30 c20"), game.First).Draw(game.DrawStyle{})
	for _, part := range []string{"~鼠R▲~", "[獅L▲]", "(貓c▼)"} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in\n%s", part, got)
		}
	}
}
