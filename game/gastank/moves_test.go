package gastank

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/game"
)

func mustBoard(t testing.TB, rows ...string) Board {
	t.Helper()
	b, err := ParseBoard(strings.Join(rows, "/"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustMove(t testing.TB, text string) game.Move {
	t.Helper()
	m, err := ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// slowPerft counts with the reference alone.
func slowPerft(r reference, depth int) (count uint64) {
	if depth == 0 {
		return 1
	}
	for _, m := range r.moves() {
		count += slowPerft(r.play(m), depth-1)
	}
	return count
}

func TestLegalAndIllegalMoves(t *testing.T) {
	b := mustBoard(t,
		"-- -- -- Q3 K3 B3 -- --",
		"-- -- -- B2 -- N3 -- --",
		"-- N2 -- -- -- -- -- --",
		"-- -- -- -- -- -- -- --",
		"b2 -- -- -- -- -- -- --",
		"-- -- -- n3 -- n0 -- --",
		"-- -- -- q3 k3 b3 -- --")
	for move, want := range map[string]string{
		"A3D6": "", "D1C2": "", "D1E3": "", "A3B2": "", "F1G2": "", // the seed's examples, F1 for F2
		"D1F2": "", // own pieces may be captured
		"D2E4": "", "E1D2": "", "E1E2": "",
		"F2G4": "the knight on F2 has no gas left",
		"D2D3": "a knight moves two squares one way and one the other",
		"A3E7": "a piece stands between A3 and E7, and a bishop cannot jump",
		"D1H4": "a queen moves as a knight or along a diagonal",
		"E1E3": "a king moves one square",
		"E4E5": "nothing stands on E4",
		"D6E5": "the bishop on D6 is the opponent's",
		"A3A3": "a bishop moves along a diagonal",
	} {
		err := b.Why(game.First, mustMove(t, move))
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", move, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", move, err, want)
		}
	}
	king := mustBoard(t, "K1 -- -- -- -- -- -- --", "-- -- -- -- -- -- -- --", "-- -- -- -- -- -- -- --", "-- -- -- -- -- -- -- --",
		"-- -- -- -- -- -- -- --", "-- -- -- -- -- k0 -- --", "-- -- -- -- b3 -- -- --")
	err := king.Why(game.First, mustMove(t, "E1F2"))
	if err == nil || !strings.Contains(err.Error(), "the own king stands on F2") {
		t.Errorf("capturing the own king: %v", err)
	}
	if framed, ok := err.(game.FramedError); !ok || framed.InFrame(game.Second).Error() != "E7F6: the own king stands on F6 and cannot be captured" {
		t.Errorf("seen from above: %v", framed.InFrame(game.Second))
	}
	if err := b.Why(game.First, game.Move{From: 200, To: 3}); err == nil {
		t.Error("a square off the board is no square")
	}
}

// drawBoard draws a board on which anything may stand.
func drawBoard(t *rapid.T) Board {
	var b Board
	for n := range rapid.IntRange(0, 20).Draw(t, "pieces") {
		sq := game.Square(rapid.IntRange(0, squareCount-1).Draw(t, "square"))
		kind := Kind(rapid.IntRange(int(Knight), int(Queen)).Draw(t, "kind"))
		b.Put(sq, game.Side(n%2), kind, rapid.IntRange(0, 3).Draw(t, "gas"))
	}
	for side := range game.Side(2) {
		sq := rapid.IntRange(0, squareCount-1).Draw(t, "king")
		if _, occupied := b.King(side.Other()); !occupied || !b.With(King).Has(game.Square(sq)) {
			b.Put(game.Square(sq), side, King, rapid.IntRange(0, 3).Draw(t, "gas"))
		}
	}
	return b
}

// TestRulesAgreeWithTheReference plays each legal move of random boards in both implementations.
func TestRulesAgreeWithTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoard(t)
		side := game.Side(rapid.IntRange(0, 1).Draw(t, "mover"))
		r := newReference(b.String(), side == game.First)
		moves := b.Moves(side, nil)
		var names []string
		for _, m := range moves {
			names = append(names, MoveName(m))
		}
		slices.Sort(names)
		if want := r.moves(); !slices.Equal(names, want) {
			t.Fatalf("%s, player %v: got %v, want %v", b.String(), side, names, want)
		}
		if b.HasMove(side) != (len(moves) > 0) {
			t.Fatalf("HasMove is %v with %d moves", b.HasMove(side), len(moves))
		}
		mirrored := b.Mirror()
		if len(mirrored.Moves(side.Other(), nil)) != len(moves) || mirrored.Mirror() != b {
			t.Fatal("the mirrored board has other moves")
		}
		for _, m := range moves {
			next := b
			captured := next.Play(m)
			if captured != b.Kind(m.To) {
				t.Fatalf("%s captured %v, there stood %v", MoveName(m), captured, b.Kind(m.To))
			}
			if got, want := next.String(), r.play(MoveName(m)).String(); got != want {
				t.Fatalf("%s on %s: got %s, want %s", MoveName(m), b.String(), got, want)
			}
			if again, err := ParseBoard(next.String()); err != nil || again != next {
				t.Fatalf("%s is no board any more: %v", next.String(), err)
			}
		}
	})
}

// TestCheckAgreesWithMoves tries all pairs of squares.
func TestCheckAgreesWithMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoard(t)
		if _, ok := b.King(game.First); !ok {
			return
		}
		if _, ok := b.King(game.Second); !ok {
			return
		}
		legal := map[game.Move]bool{}
		for _, m := range b.Moves(game.Second, nil) {
			legal[m] = true
		}
		for from := range game.Square(squareCount) {
			for to := range game.Square(squareCount) {
				m := game.Move{From: from, To: to}
				if err := b.Why(game.Second, m); (err == nil) != legal[m] {
					t.Fatalf("%s on %s: %v", MoveName(m), b.String(), err)
				}
			}
		}
	})
}
