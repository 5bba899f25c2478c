package quagmire

import (
	"math/bits"
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
	m, err := ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// withLast sets where the pieces stand that O and X moved last; an empty name is none.
func withLast(t testing.TB, b Board, lastO, lastX string) Board {
	t.Helper()
	last := [2]game.Square{NoSquare, NoSquare}
	for side, name := range []string{lastO, lastX} {
		if name == "" {
			continue
		}
		sq, err := ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		last[side] = sq
	}
	b, err := NewBoard(b.of, last)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestStart(t *testing.T) {
	b := Start()
	if want := "....XXXX/.....XXX/......XX/.......X/O......./OO....../OOO...../OOOO...."; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
	if b.Of(game.First).Len() != 10 || b.Of(game.Second).Len() != 10 {
		t.Errorf("%d and %d pieces", b.Of(game.First).Len(), b.Of(game.Second).Len())
	}
	if b.Last(game.First) != NoSquare || b.Last(game.Second) != NoSquare {
		t.Error("somebody has moved")
	}
}

// anyGame is a board met in a game, and whose turn it is.
type anyGame struct {
	board Board
	mover game.Side
}

func drawGame(t *rapid.T) anyGame {
	g := anyGame{Start(), game.First}
	for range rapid.IntRange(0, 60).Draw(t, "plies") {
		moves := g.board.Moves(g.mover, nil)
		m := rapid.SampledFrom(moves).Draw(t, "move")
		next := g.board
		next.Play(m)
		if _, over := next.Outcome(g.mover); over {
			break
		}
		g = anyGame{next, g.mover.Other()}
	}
	return g
}

// A legal move takes one piece from its square to an empty one, is remembered, and changes nothing else.
func TestPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t)
		for _, m := range g.board.Moves(g.mover, nil) {
			if !g.board.Legal(g.mover, m) {
				t.Fatalf("%s on %s: %v", MoveName(m), g.board.String(), g.board.Why(g.mover, m))
			}
			next := g.board
			next.Play(m)
			own := g.board.Of(g.mover)&^Bit(m.From) | Bit(m.To)
			if next.Of(g.mover) != own || own.Len() != 10 || next.Of(g.mover.Other()) != g.board.Of(g.mover.Other()) {
				t.Fatalf("%s on %s gives %s", MoveName(m), g.board.String(), next.String())
			}
			if next.Of(game.First)&next.Of(game.Second) != 0 {
				t.Fatalf("%s on %s: two pieces on one square", MoveName(m), g.board.String())
			}
			if next.Last(g.mover) != m.To || next.Last(g.mover.Other()) != g.board.Last(g.mover.Other()) {
				t.Fatalf("%s on %s: last %d %d", MoveName(m), g.board.String(), next.last[0], next.last[1])
			}
			for _, again := range next.Moves(g.mover, nil) {
				if again.From == m.To {
					t.Fatalf("after %s the same piece may play %s", MoveName(m), MoveName(again))
				}
			}
		}
	})
}

// mirrors are symmetries of the board, by square.
var mirrors = map[string]func(sq game.Square) game.Square{
	"columns":  func(sq game.Square) game.Square { return sq ^ 7 },
	"rows":     func(sq game.Square) game.Square { return sq ^ 56 },
	"diagonal": func(sq game.Square) game.Square { return sq%8*8 + sq/8 },
}

func mirrored(b Board, mirror func(game.Square) game.Square) Board {
	m := Board{last: [2]game.Square{NoSquare, NoSquare}}
	for side := range b.of {
		for sq := range b.of[side].All() {
			m.of[side] |= Bit(mirror(sq))
		}
		if b.last[side] != NoSquare {
			m.last[side] = mirror(b.last[side])
		}
	}
	return m
}

// The rules know no direction and no colour.
func TestMovesAreSymmetric(t *testing.T) {
	set := func(moves []game.Move) map[game.Move]bool {
		all := map[game.Move]bool{}
		for _, m := range moves {
			all[m] = true
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t)
		moves := g.board.Moves(g.mover, nil)
		if len(set(moves)) != len(moves) {
			t.Fatalf("%s: a move is listed twice", g.board.String())
		}
		for name, mirror := range mirrors {
			m := mirrored(g.board, mirror)
			got := set(m.Moves(g.mover, nil))
			for _, move := range moves {
				if !got[game.Move{From: mirror(move.From), To: mirror(move.To)}] {
					t.Fatalf("%s of %s lacks %s", name, g.board.String(), MoveName(move))
				}
			}
			if len(got) != len(moves) {
				t.Fatalf("%s of %s: %d moves, want %d", name, g.board.String(), len(got), len(moves))
			}
		}
		swapped := Board{of: [2]Squares{g.board.of[1], g.board.of[0]}, last: [2]game.Square{g.board.last[1], g.board.last[0]}}
		if got := swapped.Moves(g.mover.Other(), nil); len(got) != len(moves) {
			t.Fatalf("colours of %s swapped: %d moves, want %d", g.board.String(), len(got), len(moves))
		}
	})
}

func TestOutcome(t *testing.T) {
	const (
		rest   = "/......../......../......../......../......../......../........"
		walled = "OXX...../XX....../X.X...../......../......../......../......../........"
	)
	for _, c := range []struct {
		name, board, lastO, lastX string
		moved                     game.Side
		want                      string
	}{
		{"nothing yet", "X......O" + rest, "", "", game.First, ""},
		{"own piece in Quagmire", walled, "", "", game.First, "X: " + leftInQuagmire},
		{"the opponent's piece may be, if it can jump out", "OX....../XX......" + rest[9:], "", "", game.Second, ""},
		{"or if anything else can move", walled[:70] + "O", "", "", game.Second, ""},
		{"nothing can move", walled, "", "", game.Second, "X: " + noMoves},
		{"the only piece was moved last", "O......X" + rest, "a8", "", game.Second, "X: " + noMoves},
		{"Quagmire and an opponent without moves", "OO....../OX......" + rest[9:], "", "b7", game.First, "X: " + leftInQuagmire},
		{"an opponent without moves, no Quagmire", "OO....../.X......" + rest[9:], "", "b7", game.First, "O: " + noMoves},
		{"one enemy at a packed corner", "OOX...../OO......" + rest[9:], "", "", game.First, ""},
		{"one enemy next to a packed corner", "OOX...../OOO...../XXX....." + rest[18:], "", "", game.First, "X: " + leftInQuagmire},
		{"packed by own pieces only", "OO....../OO....../......../......../......../......../......../X.......", "", "", game.First, ""},
	} {
		b := withLast(t, mustBoard(t, c.board), c.lastO, c.lastX)
		got := ""
		if o, over := b.Outcome(c.moved); over {
			got = string(Letter(o.Winner)) + ": " + o.Reason
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// All that decides the future is in the key, and no two positions of these share one.
func TestKey(t *testing.T) {
	type position struct {
		board Board
		mover game.Side
	}
	seen := map[uint64]position{}
	add := func(b Board, mover game.Side) {
		p := position{b, mover}
		if was, ok := seen[b.Key(mover)]; ok && was != p {
			t.Fatalf("%v and %v share a key", was, p)
		}
		seen[b.Key(mover)] = p
	}
	b := Start()
	add(b, game.First)
	add(b, game.Second)
	for _, m := range b.Moves(game.First, nil) {
		next := b
		next.Play(m)
		for _, reply := range next.Moves(game.Second, nil) {
			last := next
			last.Play(reply)
			add(last, game.First)
			add(last, game.Second)
			for _, third := range last.Moves(game.First, nil) {
				if third.To%3 > 0 {
					continue // a third of them are enough
				}
				leaf := last
				leaf.Play(third)
				add(leaf, game.Second)
			}
		}
	}
	for _, p := range oraclePositions(t) {
		for lastO := range p.Board.Of(game.First).All() {
			for lastX := range p.Board.Of(game.Second).All() {
				add(Board{p.Board.of, [2]game.Square{lastO, lastX}}, p.Mover)
			}
		}
	}
	if len(seen) < 150_000 {
		t.Fatalf("only %d positions", len(seen))
	}
	ones := [64]int{}
	for key := range seen {
		for ; key != 0; key &= key - 1 {
			ones[bits.TrailingZeros64(key)]++
		}
	}
	for bit, count := range ones {
		if share := float64(count) / float64(len(seen)); share < 0.49 || share > 0.51 {
			t.Errorf("bit %d is set in %.3f of the keys: tables index by any of them", bit, share)
		}
	}
}

func TestNewBoardRefuses(t *testing.T) {
	for _, c := range []struct {
		of   [2]Squares
		last [2]game.Square
		want string
	}{
		{[2]Squares{1, 1}, [2]game.Square{NoSquare, NoSquare}, "a1 is filled twice"},
		{[2]Squares{1, 2}, [2]game.Square{1, NoSquare}, "no O stands on b1"},
		{[2]Squares{1, 2}, [2]game.Square{NoSquare, 65}, "no X stands on square(65)"},
	} {
		if _, err := NewBoard(c.of, c.last); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one with %q", c, err, c.want)
		}
	}
}
