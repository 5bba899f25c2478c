package jungle

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/game"
)

// walk plays a random game from the start and shows every position to see.
func walk(t *rapid.T, see func(*Position)) {
	p := NewPosition(Start(rapid.SampledFrom([]Reading{Referee, Statement}).Draw(t, "reading")), game.First)
	for range rapid.IntRange(0, 150).Draw(t, "plies") {
		see(p)
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return
		}
		p = p.Play(rapid.SampledFrom(moves).Draw(t, "move")).(*Position)
	}
	see(p)
}

// TestBoardsStaySound: whatever is played, the two ways in which a board keeps its pieces agree.
func TestBoardsStaySound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, func(p *Position) {
			for _, m := range p.Moves(nil) {
				next := p.play(m)
				sound(t, next.board)
				if last, moved := next.LastMove(); last != m || !moved {
					t.Fatalf("after %s: %+v", MoveName(m), next)
				}
			}
		})
	})
}

// sound looks for contradictions between what a board keeps twice, and reads what it writes.
func sound(t *rapid.T, b Board) {
	var of [2]Squares
	for side := range of {
		for k := range Kind(Kinds) {
			sq := b.Square(game.Side(side), k)
			of[side] |= Bit(sq)
			if sq == Gone {
				continue
			}
			if s, kind, ok := b.At(sq); !ok || s != game.Side(side) || kind != k {
				t.Fatalf("%s: %v %v there", SquareName(sq), s, kind)
			}
		}
		if of[side] != b.Of(game.Side(side)) {
			t.Fatalf("the pieces of %s stand on %b, their set is %b", Color(game.Side(side)), of[side], b.of[side])
		}
	}
	if of[0]&of[1] != 0 || b.Occupied() != of[0]|of[1] {
		t.Fatalf("occupied are %b and %b", of[0], of[1])
	}
	if again, err := ParseBoard(b.String(), b.Reading()); err != nil || again != b {
		t.Fatalf("%s is read as %s, %v", b.String(), again.String(), err)
	}
}

// TestBothSidesPlayTheSameGame: turned by 180° and with the sides swapped, a position has the turned
// moves. The order of jumps is not symmetric, so sets are compared.
func TestBothSidesPlayTheSameGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, func(p *Position) {
			turned := Empty(p.board.Reading())
			for sq := range p.board.Occupied().All() {
				side, k, _ := p.board.At(sq)
				turned.Put(squareCount-1-sq, side.Other(), k)
			}
			var want []game.Move
			for _, m := range p.board.Moves(p.Mover(), nil) {
				want = append(want, game.Move{From: squareCount - 1 - m.From, To: squareCount - 1 - m.To})
			}
			if got := turned.Moves(p.Mover().Other(), nil); !slices.Equal(sortedNames(got), sortedNames(want)) {
				t.Fatalf("%s: got %s, want %s", turned.String(), moveNames(got), moveNames(want))
			}
		})
	})
}

// TestPutAndRemove edits boards at random: what is kept twice stays in step.
func TestPutAndRemove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Start(Referee)
		for range rapid.IntRange(0, 40).Draw(t, "edits") {
			sq := game.Square(rapid.IntRange(0, squareCount).Draw(t, "square"))
			if sq == squareCount {
				sq = Gone
			}
			if rapid.Bool().Draw(t, "remove") {
				b.Remove(sq)
				if b.Occupied().Has(sq) {
					t.Fatalf("%s is still there", SquareName(sq))
				}
				continue
			}
			side, k := game.Side(rapid.IntRange(0, 1).Draw(t, "side")), Kind(rapid.IntRange(0, Kinds-1).Draw(t, "kind"))
			if enters(side, k).Has(sq) && sq != Den(side.Other()) || sq == Gone {
				b.Put(sq, side, k)
				if b.Square(side, k) != sq {
					t.Fatalf("%v is on %s, not on %s", k, SquareName(b.Square(side, k)), SquareName(sq))
				}
			}
		}
		sound(t, b)
	})
}

// TestKeys: different positions have different keys. 64 bits suffice for these many by far.
func TestKeys(t *testing.T) {
	boards := map[uint64]string{}
	var visit func(b Board, side game.Side, depth int)
	visit = func(b Board, side game.Side, depth int) {
		name := fmt.Sprint(side, b.String())
		if known, ok := boards[b.Key(side)]; ok && known != name {
			t.Fatalf("%s and %s have the same key", known, name)
		}
		boards[b.Key(side)] = name
		if depth == 0 {
			return
		}
		for _, m := range b.Moves(side, nil) {
			visit(b.Play(m), side.Other(), depth-1)
		}
	}
	visit(Start(Referee), game.First, 3)
	for _, p := range oraclePositions(t) {
		visit(p.Board, p.Mover, 1)
	}
	if len(boards) < 30_000 {
		t.Errorf("only %d positions", len(boards))
	}
}

// TestReach: what a piece can do alone on the board is what the table says.
func TestReach(t *testing.T) {
	for side := range game.Side(2) {
		for k := range Kind(Kinds) {
			for sq := range game.Square(squareCount) {
				if !enters(side, k).Has(sq) || sq == Den(side.Other()) {
					continue
				}
				b := Empty(Referee)
				b.Put(sq, side, k)
				got := Squares(0)
				for _, m := range b.Moves(side, nil) {
					got |= Bit(m.To)
				}
				if got != Reach(side, k, sq) {
					t.Errorf("%s %v on %s: moves %b, reach %b", Color(side), k, SquareName(sq), got, Reach(side, k, sq))
				}
			}
		}
	}
}
