package alphabeta

import (
	"testing"

	"luzhanqi/game"
)

// TestAMoveFromASquareToItselfIsKept guards that the table takes the moves of a game of placing pieces for
// moves: an entry without one keeps the move that was known before.
func TestAMoveFromASquareToItselfIsKept(t *testing.T) {
	table := newTranspositions(4)
	placed := game.Move{}
	table.put(1, ttEntry{move: placed, depth: 1, bound: exactly})
	table.put(1, ttEntry{move: noMove, depth: 2, bound: atMost})
	if k, found := table.get(1); !found || k.move != placed || k.depth != 2 {
		t.Errorf("found is %v: %+v", found, k)
	}
	other := game.Move{From: 3, To: 4}
	table.put(2, ttEntry{move: other, depth: 1, bound: exactly})
	table.put(2, ttEntry{move: placed, depth: 2, bound: exactly})
	if k, _ := table.get(2); k.move != placed {
		t.Errorf("the move is %v, not the placed one", k.move)
	}
}
