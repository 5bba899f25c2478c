package coach_test

import (
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/coach"
)

const rows = "94837 5.2.6 21.BB 7.3.4 631L1 2L5FL"

func begin(t *testing.T, second string) game.Position {
	t.Helper()
	var setUps [2]luzhanqi.SetUp
	for i, text := range []string{rows, second} {
		s, err := luzhanqi.ParseSetUp(text)
		if err != nil {
			t.Fatal(err)
		}
		setUps[i] = s
	}
	return luzhanqi.NewPosition(setUps[0], setUps[1], false)
}

// TestFightsInWords: both sides are told who fell, where, each in its own frame, and what the other piece must be; never
// more than the observation tells.
func TestFightsInWords(t *testing.T) {
	for name, c := range map[string]struct {
		second, move string
		told         [2]string
	}{
		"won": {rows, "A6 A7", [2]string{
			"Your field marshal won: the piece on A7 has fallen. It was 1 to 8.",
			"Your major general on E6 fell to the piece that now stands there, which is the field marshal or the general.",
		}},
		"quiet": {rows, "B6 B5", [2]string{"", ""}},
		"field marshals": {"74839 5.2.6 21.BB 7.3.4 631L1 2L5FL", "A6 A7", [2]string{
			"Both fell on A7: your field marshal and the piece there, which was the field marshal. Your field marshal is lost, so the " +
				"enemy now sees your flag on D1. That was the field marshal, so you now see the enemy's flag on B12.",
			"Both fell on E6: your field marshal and the piece that attacked it, which was the field marshal. That was the field marshal, " +
				"so you now see the enemy's flag on B12. Your field marshal is lost, so the enemy now sees your flag on D1.",
		}},
	} {
		pos := begin(t, c.second)
		m, err := luzhanqi.Game{}.ParseMove(c.move)
		if err == nil {
			err = pos.Check(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		after := pos.Play(m)
		for _, side := range []game.Side{game.First, game.Second} {
			got := coach.New().Saw(after.View(side))
			if got != c.told[side] {
				t.Errorf("%s, player %v: %q, want %q", name, side, got, c.told[side])
			}
		}
	}
}

// TestRanks: sets of ranks are short, and complete.
func TestRanks(t *testing.T) {
	all := hiddeninfo.AnyRank
	for want, m := range map[string]hiddeninfo.Mask{
		"anything":                             all,
		"a major":                              hiddeninfo.Only(luzhanqi.Major),
		"1 to 9 or a bomb":                     hiddeninfo.Movers,
		"the general, an engineer or the flag": hiddeninfo.Only(luzhanqi.General) | hiddeninfo.Only(luzhanqi.Engineer) | hiddeninfo.Only(luzhanqi.Flag),
		"nothing that the rules allow":         0,
	} {
		if got := coach.Ranks(m); got != want {
			t.Errorf("%v: %q, want %q", m, got, want)
		}
	}
}

// TestAbout: what is typed for a square is answered in the person's own frame, and what is none is refused.
func TestAbout(t *testing.T) {
	v := begin(t, rows).View(game.Second)
	c := coach.New()
	if got, err := c.About("a7 B12", v); err != nil || got != "A7: 1 to 9\nB12: anything\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, typed := range []string{"A1", "Z9", "B8"} { // an own piece, no square, a camp
		if got, err := c.About(typed, v); err == nil {
			t.Errorf("%s: %q", typed, got)
		}
	}
	for _, line := range c.Beside(v) {
		if len(line) > 24 {
			t.Errorf("%q is wider than 24 columns", line)
		}
	}
}
