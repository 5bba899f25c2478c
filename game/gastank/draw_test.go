package gastank

import (
	"regexp"
	"strings"
	"testing"

	"luzhanqi/game"
)

// The seed's example, with its labels.
const seedPicture = `7  -- -- -- Q3 K3 B3 -- --  computer
6  -- -- -- B2 -- N3 -- --
5  -- N2 -- -- -- -- -- --
4  -- -- -- -- -- -- -- --
3  b2 -- -- -- -- -- -- --
2  -- -- -- n3 -- n3 -- --
1  -- -- -- q3 k3 b3 -- --  human
   -----------------------
   A  B  C  D  E  F  G  H
`

func seedBoard(t *testing.T) Board {
	t.Helper()
	return mustBoard(t, "-- -- -- Q3 K3 B3 -- --", "-- -- -- B2 -- N3 -- --", "-- N2 -- -- -- -- -- --", "-- -- -- -- -- -- -- --",
		"b2 -- -- -- -- -- -- --", "-- -- -- n3 -- n3 -- --", "-- -- -- q3 k3 b3 -- --")
}

func TestDraw(t *testing.T) {
	b := seedBoard(t)
	labels := [2]string{"human", "computer"}
	if got := Draw(b, game.First, labels, game.DrawStyle{}); got != seedPicture {
		t.Errorf("got\n%s", got)
	}
	last := mustMove(t, "B7A3")
	b = seedBoard(t)
	want := `7  -- -- -- Q3 K3 B3 -- --  computer
6  -- -- -- N3 -- N3 -- --
5 [B2]-- -- -- -- -- -- --
4  -- -- -- -- -- -- -- --
3  -- n2 -- -- -- -- -- --
2  -- -- -- b2 -- n3 -- --
1  --[--]-- q3 k3 b3 -- --  human
   -----------------------
   A  B  C  D  E  F  G  H
`
	if got := Draw(b, game.Second, labels, game.DrawStyle{Last: &last}); got != want {
		t.Errorf("mirrored\n%s", got)
	}
	p := Position{board: seedBoard(t)}
	if got := p.View(game.Second).Draw(game.DrawStyle{Last: &last}); got != strings.NewReplacer("human", "you", "computer", "opponent").Replace(want) {
		t.Errorf("the second player sees\n%s", got)
	}
	if got := p.View(game.First).Draw(game.DrawStyle{}); got != strings.NewReplacer("human", "you", "computer", "opponent").Replace(seedPicture) {
		t.Errorf("the first player sees\n%s", got)
	}
	if got := p.Draw(game.DrawStyle{}); got != strings.NewReplacer("human", "player 1", "computer", "player 2").Replace(seedPicture) {
		t.Errorf("the referee sees\n%s", got)
	}
	if got := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(Draw(b, game.First, labels, game.DrawStyle{Color: true}), ""); strings.ReplaceAll(got, " \n", "\n") != seedPicture {
		t.Errorf("without its colours\n%q", got)
	}
}
