package quagmire

import (
	"errors"
	"strings"
	"testing"

	"luzhanqi/game"
)

// The boards of the author's text.
const (
	startDrawn = ` a b c d e f g h
+-+-+-+-+-+-+-+-+
|.|.|.|.|X|X|X|X| 8
+-+-+-+-+-+-+-+-+
|.|.|.|.|.|X|X|X| 7
+-+-+-+-+-+-+-+-+
|.|.|.|.|.|.|X|X| 6
+-+-+-+-+-+-+-+-+
|.|.|.|.|.|.|.|X| 5
+-+-+-+-+-+-+-+-+
|O|.|.|.|.|.|.|.| 4
+-+-+-+-+-+-+-+-+
|O|O|.|.|.|.|.|.| 3
+-+-+-+-+-+-+-+-+
|O|O|O|.|.|.|.|.| 2
+-+-+-+-+-+-+-+-+
|O|O|O|O|.|.|.|.| 1
+-+-+-+-+-+-+-+-+
`
	exampleDrawn = ` a b c d e f g h
+-+-+-+-+-+-+-+-+
|.|.|.|O|X|.|.|X| 8
+-+-+-+-+-+-+-+-+
|.|.|.|.|X|.|.|X| 7
+-+-+-+-+-+-+-+-+
|.|.|.|.|X|.|.|.| 6
+-+-+-+-+-+-+-+-+
|X|.|.|.|.|X|X|X| 5
+-+-+-+-+-+-+-+-+
|O|O|O|O|.|.|.|.| 4
+-+-+-+-+-+-+-+-+
|.|.|.|O|X|.|.|.| 3
+-+-+-+-+-+-+-+-+
|.|.|.|O|.|.|O|.| 2
+-+-+-+-+-+-+-+-+
|O|O|O|O|.|.|.|.| 1
+-+-+-+-+-+-+-+-+
`
)

func TestDraw(t *testing.T) {
	b := mustBoard(t, example)
	if got := b.Draw(game.Style{}); got != exampleDrawn {
		t.Errorf("got\n%s", got)
	}
	p := NewPosition()
	if got := p.Draw(game.Style{}); got != startDrawn {
		t.Errorf("got\n%s", got)
	}
	m := mustMove(t, "c2 c4")
	after := p.Play(m)
	want := strings.Replace(startDrawn, "|O|O|O|.|.|.|.|.| 2", "|O|O|:|.|.|.|.|.| 2", 1)
	want = strings.Replace(want, "|O|.|.|.|.|.|.|.| 4", "|O|.|o|.|.|.|.|.| 4", 1)
	for side := range game.Side(2) {
		if got := after.View(side).Draw(game.Style{Last: &m}); got != want {
			t.Errorf("last move marked for %v:\n%s", side, got)
		}
	}
	colored := after.Draw(game.Style{Color: true, Last: &m})
	if got := strings.Count(colored, colorLast); got != 2 {
		t.Errorf("%d squares in reverse video, want 2:\n%s", got, colored)
	}
	uncolored := strings.NewReplacer(colorO, "", colorX, "", colorLast, "", colorOff, "").Replace(colored)
	if uncolored != after.Draw(game.Style{}) {
		t.Errorf("colours change the board:\n%s", uncolored)
	}
}

func TestReadMove(t *testing.T) {
	want := mustMove(t, "c2 c4")
	for _, text := range []string{
		"c2 c4", "c2-c4", "c2c4", "C2 C4", "c2,c4", "c2, c4", "c2xc4", "c2>c4", "c2 to c4", "c2→c4", "c2\tc4", " c2  c4 \r\n",
		"c2\x00c4", "c2 and then c4", "c2" + strings.Repeat(" ", 32) + "c4",
	} {
		if got, err := ReadMove(text); err != nil || got != want {
			t.Errorf("%q is read as %s, %v", text, MoveName(got), err)
		}
	}
	for _, text := range []string{
		"", "c2", "c2 c", "c2 c4 c6", "c2 a1 c4", "c9 c4", "c2 i4", "c2 c0", "2c 4c", "c2 c4.", "move c2 c4", "c2c", "c2 c4 now",
		"c2" + strings.Repeat(" ", 33) + "c4", strings.Repeat("c2", 1000), "ç2 c4",
	} {
		got, err := ReadMove(text)
		if err == nil || !strings.Contains(err.Error(), "such as c2 c4") || len(err.Error()) > 200 {
			t.Errorf("%.40q is read as %s, %v", text, MoveName(got), err)
		}
	}
}

func TestParseMove(t *testing.T) {
	want := mustMove(t, "c2 c4")
	for _, text := range []string{"c2 c4", "c2-c4", "c2c4", "C2 C4", "c2, c4", "c2->c4", " c2  c4 ", "c2\tc4"} {
		if got, err := ParseMove(text); err != nil || got != want {
			t.Errorf("%q is read as %s, %v", text, MoveName(got), err)
		}
	}
	for _, text := range []string{"", "c2", "c2 to c4", "c2xc4", "c2→c4", "c2\x00c4", "c2 c4 c6", "c2 9 c4", "c2\nc4", "c2 c9", "(c2 c4)", "c2 c4;"} {
		got, err := ParseMove(text)
		if err == nil || !strings.Contains(err.Error(), "allowed are two squares from a1 to h8, such as c2 c4, c2-c4 or c2c4") {
			t.Errorf("%q is read as %s, %v", text, MoveName(got), err)
		}
	}
	for from := range game.Square(squareCount) {
		for to := range game.Square(squareCount) {
			m := game.Move{From: from, To: to}
			if got, err := (Game{}).ParseMove(Game{}.FormatMove(m)); err != nil || got != m {
				t.Fatalf("%s is read as %s, %v", MoveName(m), MoveName(got), err)
			}
		}
	}
}

func TestTurnLine(t *testing.T) {
	start := Start()
	for _, c := range []struct {
		board        Board
		lastO, lastX string
		mover        game.Side
		want         string
	}{
		{start, "", "", game.First, "O to move\n"},
		{start, "c2", "h5", game.Second, "X to move, but not h5 again\n"},
		{mustBoard(t, "OX....../XXX...../......../......../......../......../.O....../OX......"), "b2", "", game.First, "O to move, out of Quagmire first: a8\n"},
		{mustBoard(t, "OX....../XXX...../......../......../......../......../.O....../OX......"), "a8", "", game.First, "O to move, but not a8 again\n"},
	} {
		b := withLast(t, c.board, c.lastO, c.lastX)
		if got := TurnLine(&b, c.mover); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTruthyAndFalsy(t *testing.T) {
	for got, want := range map[string]string{
		Refusal(errors.New("c2 c2: a move must leave its square")): "0\nc2 c2: a move must leave its square\n",
		Announce(game.Won(game.Second, noMoves)):                   "no legal moves\nX\n1\n",
		Announce(game.Won(game.First, leftInQuagmire)):             "opponent left a piece in Quagmire\nO\n1\n",
		Announce(game.Drawn("cap of 400 plies reached")):           "draw: cap of 400 plies reached\n1\n",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzMoves(f *testing.F) {
	for _, text := range []string{"c2 c4", "c2-c4", "c2c4", "c2 to c4", "c2 c4 c6", "C2→C4", "\xff2 c4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMove(text)
		if err == nil {
			if back, err := ParseMove(MoveName(m)); err != nil || back != m {
				t.Errorf("%q is written as %s", text, MoveName(m))
			}
			if typed, err := ReadMove(text); err != nil || typed != m {
				t.Errorf("a program may write %q, a person may not: %v", text, err)
			}
		}
		m, err = ReadMove(text)
		start := Start()
		if err == nil && (m.From >= squareCount || m.To >= squareCount) {
			t.Errorf("%q leads off the board", text)
		}
		if err == nil && start.Why(game.First, m) != nil && Refusal(start.Why(game.First, m))[:2] != "0\n" {
			t.Errorf("%q is refused without a falsy value", text)
		}
	})
}
