package quagmire

import (
	"errors"
	"testing"

	"luzhanqi/game"
)

// The boards of the author's text.
const (
	startDrawn = ` a b c d e f g h
+-+-+-+-+-+-+-+-+
|.|.|.|.|X|X|X|X| 8
+-+-+-+-+-+-+-+-+
|.|.|.|.|.|X|X|X| 7
+-+-+-+-+-+-+-+-+
|.|.|.|.|.|.|X|X| 6
+-+-+-+-+-+-+-+-+
|.|.|.|.|.|.|.|X| 5
+-+-+-+-+-+-+-+-+
|O|.|.|.|.|.|.|.| 4
+-+-+-+-+-+-+-+-+
|O|O|.|.|.|.|.|.| 3
+-+-+-+-+-+-+-+-+
|O|O|O|.|.|.|.|.| 2
+-+-+-+-+-+-+-+-+
|O|O|O|O|.|.|.|.| 1
+-+-+-+-+-+-+-+-+
`
	exampleDrawn = ` a b c d e f g h
+-+-+-+-+-+-+-+-+
|.|.|.|O|X|.|.|X| 8
+-+-+-+-+-+-+-+-+
|.|.|.|.|X|.|.|X| 7
+-+-+-+-+-+-+-+-+
|.|.|.|.|X|.|.|.| 6
+-+-+-+-+-+-+-+-+
|X|.|.|.|.|X|X|X| 5
+-+-+-+-+-+-+-+-+
|O|O|O|O|.|.|.|.| 4
+-+-+-+-+-+-+-+-+
|.|.|.|O|X|.|.|.| 3
+-+-+-+-+-+-+-+-+
|.|.|.|O|.|.|O|.| 2
+-+-+-+-+-+-+-+-+
|O|O|O|O|.|.|.|.| 1
+-+-+-+-+-+-+-+-+
`
)

func TestTurnLine(t *testing.T) {
	start := Start()
	for _, c := range []struct {
		board        Board
		lastO, lastX string
		mover        game.Side
		want         string
	}{
		{start, "", "", game.First, "O to move\n"},
		{start, "c2", "h5", game.Second, "X to move, but not h5 again\n"},
		{mustBoard(t, "OX....../XXX...../......../......../......../......../.O....../OX......"), "b2", "", game.First, "O to move, out of Quagmire first: a8\n"},
		{mustBoard(t, "OX....../XXX...../......../......../......../......../.O....../OX......"), "a8", "", game.First, "O to move, but not a8 again\n"},
	} {
		b := withLast(t, c.board, c.lastO, c.lastX)
		if got := TurnLine(&b, c.mover); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTruthyAndFalsy(t *testing.T) {
	for got, want := range map[string]string{
		Refusal(errors.New("c2 c2: a move must leave its square")): "0\nc2 c2: a move must leave its square\n",
		Announce(game.Won(game.Second, noMoves)):                   "no legal moves\nX\n1\n",
		Announce(game.Won(game.First, leftInQuagmire)):             "opponent left a piece in Quagmire\nO\n1\n",
		Announce(game.Drawn("cap of 400 plies reached")):           "draw: cap of 400 plies reached\n1\n",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
