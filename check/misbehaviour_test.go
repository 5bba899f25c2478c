package check

import (
	"fmt"
	"testing"

	"luzhanqi/game"
)

// placing is as much of a game of placing pieces as it takes to write a move: a square, where it comes from and goes to.
type placing struct{ game.Game }

func (placing) FormatMove(m game.Move) string { return fmt.Sprint(m.To) }

func (placing) ParseMove(text string) (m game.Move, err error) {
	_, err = fmt.Sscan(text, &m.To)
	return game.Move{From: m.To, To: m.To}, err
}

// free are the moves to free squares.
type free struct {
	game.View
	moves []game.Move
}

func (f free) Moves(dst []game.Move) []game.Move { return append(dst, f.moves...) }

// TestIllegalMove guards that where a move from a square to itself is legal, another one is found: to a square that
// was free before.
func TestIllegalMove(t *testing.T) {
	one, two, three := game.Move{From: 1, To: 1}, game.Move{From: 2, To: 2}, game.Move{From: 3, To: 3}
	if m, ok := illegalMove(placing{}, free{moves: []game.Move{two, three}}, []game.Move{one, two, three}); !ok || m != one {
		t.Errorf("found %v, %v; want %v", m, ok, one)
	}
	if m, ok := illegalMove(placing{}, free{moves: []game.Move{one, two}}, nil); ok {
		t.Errorf("found %v, though nothing illegal can be written", m)
	}
}
