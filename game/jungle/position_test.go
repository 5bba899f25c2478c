package jungle

import (
	"strings"
	"testing"

	"luzhanqi/game"
)

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		units string
		mover game.Side
		want  game.Outcome
		over  bool
	}{
		{"C30 e00", game.Second, game.Won(game.First, "den entered"), true},
		{"C00 e38", game.First, game.Won(game.Second, "den entered"), true},
		{"C30", game.Second, game.Won(game.First, "den entered"), true}, // which comes first
		{"C00", game.Second, game.Won(game.First, "no legal moves"), true},
		{"C00", game.First, game.Outcome{}, false}, // having lost all pieces is not the end by itself
		{"C00 e01 l10", game.First, game.Won(game.Second, "no legal moves"), true},
		{"R00 e01 l10", game.First, game.Outcome{}, false},
	} {
		p := NewPosition(mustBoard(t, c.units), c.mover)
		got, over := p.Outcome()
		if got != c.want || over != c.over {
			t.Errorf("%s, %s to move: %+v, %v; want %+v", c.units, Color(c.mover), got, over, c.want)
		}
		if moves := p.Moves(nil); (len(moves) == 0) != over {
			t.Errorf("%s, %s to move: over %v, but the moves are %v", c.units, Color(c.mover), over, moves)
		}
		for sq := range game.Square(squareCount) {
			if err := p.Check(game.Move{From: 0, To: sq}); over && (err == nil || !strings.Contains(err.Error(), "the game is over: "+c.want.Reason)) {
				t.Errorf("%s: a move after the end: %v", c.units, err)
			}
		}
	}
}
