package quagmire

import (
	"strings"
	"testing"

	"luzhanqi/game"

	"pgregory.net/rapid"
)

func TestBoardText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t)
		back, err := ParseBoard(g.board.String())
		if err != nil || back.of != g.board.of {
			t.Fatalf("%s is read as %s, %v", g.board.String(), back.String(), err)
		}
	})
}

func FuzzParseBoard(f *testing.F) {
	for _, p := range oraclePositions(f)[:20] {
		f.Add(p.Board.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBoard(text)
		if err == nil && b.String() != text {
			t.Errorf("%q is written as %q", text, b.String())
		}
	})
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
