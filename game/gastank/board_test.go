package gastank

import (
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

func TestStart(t *testing.T) {
	start := Start()
	want := "-- -- B3 Q3 K3 B3 -- --/-- -- -- N3 -- N3 -- --/-- -- -- -- -- -- -- --/-- -- -- -- -- -- -- --/" +
		"-- -- -- -- -- -- -- --/-- -- -- n3 -- n3 -- --/-- -- b3 q3 k3 b3 -- --"
	if start.String() != want {
		t.Errorf("got %s", start.String())
	}
	if mirrored := start.Mirror(); mirrored != start {
		t.Errorf("mirrored it is %s", mirrored.String())
	}
}

func TestPlayAndGas(t *testing.T) {
	b := mustBoard(t, "K3 -- -- -- -- -- -- --", "-- -- -- -- -- -- -- --", "-- -- -- -- -- -- -- --", "-- -- -- N0 -- -- -- --",
		"-- -- -- -- -- -- -- --", "-- n1 -- -- -- -- -- --", "b1 q0 k3 -- -- -- -- --")
	for move, want := range map[string]struct {
		captured Kind
		gas      int
	}{
		"B2D3": {None, 0}, "B2D1": {None, 0}, "A1B2": {Knight, 3}, "C1B1": {Queen, 3}, "C1D1": {None, 2},
	} {
		next := b
		m := mustMove(t, move)
		captured := next.Play(m)
		if gas := next.Gas(m.To); captured != want.captured || gas != want.gas {
			t.Errorf("%s captures %v and leaves %d, want %v and %d", move, captured, gas, want.captured, want.gas)
		}
	}
}

// TestKeysDiffer looks for equal keys among all positions within three plies: each key must name one
// position, whose pieces, gas and mover all count.
func TestKeysDiffer(t *testing.T) {
	type position = gametest.Position[Board]
	seen := map[uint64]position{}
	var visit func(p position, depth int)
	visit = func(p position, depth int) {
		key := p.Board.Key(p.Mover)
		if other, ok := seen[key]; ok && other != p {
			t.Fatalf("%x is the key of %s and %s", key, p.Board.String(), other.Board.String())
		}
		seen[key] = p
		if depth == 0 {
			return
		}
		for _, m := range p.Board.Moves(p.Mover, nil) {
			next := p.Board
			next.Play(m)
			visit(position{Board: next, Mover: p.Mover.Other()}, depth-1)
		}
	}
	visit(position{Board: Start(), Mover: game.First}, 3)
	visit(position{Board: Start(), Mover: game.Second}, 2)
	for _, p := range oraclePositions(t) {
		visit(p, 1)
		visit(position{Board: p.Board, Mover: p.Mover.Other()}, 0)
	}
	if len(seen) < 40000 {
		t.Errorf("only %d positions", len(seen))
	}
}
