package luzhanqi

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/game"
)

func mustBoard(t testing.TB, text string) Board {
	t.Helper()
	b, err := ParseBoard(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustMove(t testing.TB, text string) game.Move {
	t.Helper()
	from, to, _ := strings.Cut(text, " ")
	return game.Move{From: mustSquare(t, from), To: mustSquare(t, to)}
}

func mustSquare(t testing.TB, name string) game.Square {
	t.Helper()
	sq, err := ParseSquare(name)
	if err != nil {
		t.Fatal(err)
	}
	return sq
}

// anyBoard draws boards that no game reaches as readily as those that games do.
func anyBoard() *rapid.Generator[Board] {
	return rapid.Custom(func(t *rapid.T) Board {
		ranks := rapid.SampledFrom([][]Rank{Ranks[:], {Engineer}, {Engineer, Landmine, Bomb}}).Draw(t, "ranks")
		density := rapid.IntRange(1, 12).Draw(t, "density")
		var b Board
		for n := range squareCount {
			if rapid.IntRange(1, 12).Draw(t, "piece") <= density {
				b.Put(game.Square(n), rapid.SampledFrom([]game.Side{game.First, game.Second}).Draw(t, "side"),
					rapid.SampledFrom(ranks).Draw(t, "rank"))
			}
		}
		return b
	})
}

func TestTargets(t *testing.T) {
	for _, c := range []struct{ name, board, from, want string }{
		{"one step by road", "C3:41", "C3", "C2 B3 D3 C4"},
		{"all eight ways out of a camp", "B3:41", "B3", "A2 B2 C2 A3 C3 A4 B4 C4"},
		{"no diagonal without a camp", "B4:41", "B4", "B3 A4 C4 B5"},
		{"the mountains close B6", "B6:41", "B6", "B5 A6 C6 D6 E6"},
		{"the mountains close D7", "D7:42", "D7", "A7 B7 C7 E7 D8"},
		{"C6 leads to C7, not further", "C6:41", "C6", "B5 C5 D5 A6 B6 D6 E6 C7"},
		{"rails run straight to the end", "A2:91", "A2", "A1 B2 C2 D2 E2 B3 A3 A4 A5 A6 A7 A8 A9 A10 A11"},
		{"an own piece ends the line before it", "A2:91 A5:11 C2:11", "A2", "A1 B2 B3 A3 A4"},
		{"an enemy ends the line with it", "A2:91 A5:12 C2:12", "A2", "A1 B2 C2 B3 A3 A4 A5"},
		{
			"the engineer turns corners", "A6:11 A7:42 A5:42 D6:21 C8:12 C9:12 C5:12 B7:12 D7:92 B5:41 B6:42", "A6",
			"A5 B6 A7",
		},
		{"the engineer takes at the end of a way", "E6:11 E7:42 A6:42 E5:41 D7:41 B7:42 C6:42 D5:12", "E6", "D6 C6 E7"},
		{"the engineer turns on C7", "C6:11 B6:11 D6:11 B7:12 D7:12", "C6", "B5 C5 D5 B7 C7 D7"},
		{"a held camp is shut", "C3:41 B3:12 D3:51", "C3", "C2 C4"},
		{"flags stay", "B1:F1", "B1", ""},
		{"landmines stay", "C3:L1", "C3", ""},
		{"who is in a headquarters stays", "B1:41", "B1", ""},
		{"in the enemy's as well", "D12:11", "D12", ""},
		{"nobody moves from an empty square", "C3:41", "C4", ""},
		{"headquarters can be entered", "B11:91 A11:11 C11:11 B10:11", "B11", "B12"},
	} {
		b := mustBoard(t, c.board)
		var want Squares
		for name := range strings.FieldsSeq(c.want) {
			want |= Bit(mustSquare(t, name))
		}
		if got := b.Targets(mustSquare(t, c.from)); got != want {
			t.Errorf("%s: %s on %s goes to %s, want %s", c.name, c.from, c.board, names(got), names(want))
		}
	}
}

func TestHasMove(t *testing.T) {
	for board, want := range map[string]bool{
		"":                                   false,
		"C4:92":                              false,
		"B1:91 C3:L1 D1:F1":                  false,
		"A3:41 A2:L1 A4:L1":                  true,  // into the camp B3
		"A3:41 A2:L1 A4:L1 B3:12":            false, // which is held
		"A3:41 A2:L2 A4:L1 B3:12":            true,
		"B6:41 A6:L1 C6:L1 B5:L1 B7:92":      false, // the mountains
		"B6:41 A6:L1 C6:L1 B5:L1 A5:12":      false,
		"D12:91 D11:L2 C12:L2 E12:L2 A12:12": false,
	} {
		b := mustBoard(t, board)
		if got := b.HasMove(game.First); got != want || len(b.Moves(game.First, nil)) > 0 != want {
			t.Errorf("%q: %v, want %v; the moves are %v", board, got, want, moveNames(b.Moves(game.First, nil)))
		}
	}
}

func TestEngineerGoesRoundTheWholeRailway(t *testing.T) {
	b := mustBoard(t, "A2:11")
	from := mustSquare(t, "A2")
	if got, want := b.Targets(from), Railway|Beside(Bit(from)); got != want&^Bit(from) {
		t.Errorf("targets %s, want the whole railway and the steps", names(got))
	}
}

func names(s Squares) string {
	var all []string
	for sq := range s.All() {
		all = append(all, SquareName(sq))
	}
	return strings.Join(all, " ")
}

// checkWhy wants no error if text is empty.
func checkWhy(t *testing.T, b *Board, m game.Move, kind IllegalKind, text string) {
	t.Helper()
	err := b.Why(game.First, m)
	if text == "" {
		if err != nil {
			t.Errorf("%v, want no error", err)
		}
		return
	}
	var illegal *IllegalMove
	if !errors.As(err, &illegal) {
		t.Errorf("error %v, want %s", err, text)
		return
	}
	if illegal.Error() != text || illegal.Kind != kind || illegal.Move != m {
		t.Errorf("%s of kind %d, want %s of kind %d", illegal, illegal.Kind, text, kind)
	}
}

func TestTargetsMovesAndCheckAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard().Draw(t, "board")
		for _, side := range []game.Side{game.First, game.Second} {
			listed := map[game.Move]int{}
			for _, m := range b.Moves(side, nil) {
				listed[m]++
			}
			for from := range game.Square(squareCount) {
				for to := range game.Square(squareCount) {
					m := game.Move{From: from, To: to}
					legal, why := b.Legal(side, m), b.Why(side, m)
					if want := listed[m] == 1; legal != want || (why == nil) != want || listed[m] > 1 {
						t.Fatalf("%s by %v on %s: listed %d times, Legal %v, Why %v", MoveName(m), side, b.String(), listed[m], legal, why)
					}
				}
			}
		}
	})
}

func TestMovesTurnWithTheBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard().Draw(t, "board")
		turned := b.Turn()
		for _, side := range []game.Side{game.First, game.Second} {
			var want []game.Move
			for _, m := range b.Moves(side, nil) {
				want = append(want, TurnMove(m))
			}
			got := moveNames(turned.Moves(side.Other(), nil))
			if strings.Join(got, ",") != strings.Join(moveNames(want), ",") {
				t.Fatalf("%v on %s: turned moves %v, want %v", side, b.String(), got, moveNames(want))
			}
		}
		if back := turned.Turn(); back != b {
			t.Fatalf("%s turned twice is %s", b.String(), back.String())
		}
	})
}

// Moves lie behind every search, so a buffer that is large enough must be enough.
func TestMovesDoNotAllocate(t *testing.T) {
	b := perftCases(t)[0].board
	buffer := make([]game.Move, 0, 400)
	allocations := testing.AllocsPerRun(10, func() {
		for _, m := range b.Moves(game.First, buffer) {
			next := b
			next.Play(m, false)
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations to generate and play all moves, want none", allocations)
	}
}
