package luzhanqi

import (
	"strings"
	"testing"

	"luzhanqi/game"

	"pgregory.net/rapid"
)

func TestBoardText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard().Draw(t, "board")
		checkClean(t, &b)
		back, err := ParseBoard(b.String())
		if err != nil {
			t.Fatal(err)
		}
		if back != b {
			t.Fatalf("%s is read as %s", b.String(), back.String())
		}
		for sq := range game.Square(squareCount) {
			side, rank, ok := b.At(sq)
			if ok != b.Occupied().Has(sq) || ok && !(b.Of(side)&b.WithRank(rank)).Has(sq) {
				t.Fatalf("%s on %s: %v's %v, %v", SquareName(sq), b.String(), side, rank, ok)
			}
		}
	})
}

func TestParseBoardRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"A6:91 A6:92":    `"A6:92": A6 is filled twice`,
		"A6":             `"A6": must be a square, a colon, a piece and its owner, such as A6:91`,
		"A6:9":           "such as A6:91",
		"A6:912":         "such as A6:91",
		"A6:911 B1":      "such as A6:91",
		"A6 :91":         "such as A6:91",
		"A6:X1":          `"A6:X1": piece "X": allowed are 1 to 9, B, L and F`,
		"A6:01":          `piece "0"`,
		"A6:b1":          `piece "b"`,
		"A6:\xc31":       `piece "\xc3"`,
		"A6:\x001":       "allowed are 1 to 9",
		"A6:93":          `"A6:93": player "3": allowed are 1 and 2`,
		"A6:90":          "allowed are 1 and 2",
		"a6:91":          `square "a6": allowed are A1 to E12`,
		"A06:91":         "allowed are A1 to E12",
		"F1:91":          "allowed are A1 to E12",
		"A13:91":         "allowed are A1 to E12",
		"A0:91":          "allowed are A1 to E12",
		":91":            "allowed are A1 to E12",
		"A6:91,B6:91":    "such as A6:91",
		"A6::91 B6:91":   "such as A6:91",
		"A1:91 A1:91 ??": "A1 is filled twice",
	} {
		b, err := ParseBoard(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %s", text, err, want)
		}
		if b != (Board{}) {
			t.Errorf("%q: a board in spite of an error", text)
		}
	}
}

func TestParseBoardTakesAnyBlanks(t *testing.T) {
	for _, text := range []string{"", " ", "\t\n"} {
		if b, err := ParseBoard(text); err != nil || b != (Board{}) {
			t.Errorf("%q: %s, %v, want the empty board", text, b.String(), err)
		}
	}
	if b := mustBoard(t, "  B1:F2\tA1:91 \n"); b.String() != "A1:91 B1:F2" {
		t.Errorf("got %s", b.String())
	}
}

func FuzzParseBoard(f *testing.F) {
	for _, p := range oraclePositions(f)[:20] {
		f.Add(p.Board.String())
	}
	f.Add("A1:L1 A1:L1")
	f.Add("A6:\u00e91")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBoard(text)
		if err != nil {
			return
		}
		back, err := ParseBoard(b.String())
		if err != nil || back != b {
			t.Errorf("%q is written as %q, which is read as %q, %v", text, b.String(), back.String(), err)
		}
	})
}

func TestSquareNames(t *testing.T) {
	for name, number := range map[string]game.Square{"A1": 0, "E1": 4, "A2": 5, "C6": 27, "A10": 45, "E12": 59} {
		if got, err := ParseSquare(name); err != nil || got != number || SquareName(number) != name {
			t.Errorf("%s is square %d, %v, want %d", name, got, err, number)
		}
	}
	for _, text := range []string{"", "A", "1", "A0", "A13", "F1", "a1", "A01", "A1 ", " A1", "A1\n", "AA1", "A+1", "Ａ1", "A１"} {
		if sq, err := ParseSquare(text); err == nil || !strings.Contains(err.Error(), "allowed are A1 to E12") {
			t.Errorf("%q: %s, %v, want an error that says what is allowed", text, SquareName(sq), err)
		}
	}
}
