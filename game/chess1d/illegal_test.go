package chess1d

import (
	"errors"
	"testing"

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

// The reason names the squares as the offender sees them, and what the piece can do.
func TestIllegalMoves(t *testing.T) {
	b := mustBoard(t, "kf h a C  T S Q")
	for _, c := range []struct {
		side game.Side
		move string // in the offender's frame, as is want
		kind IllegalKind
		want string
	}{
		{game.First, "22", NothingThere, "2 to 2: there is no piece on 2"},
		{game.First, "78", NotYours, "7 to 8: the piece on 7 is the enemy's"},
		{game.First, "33", SameSquare, "3 to 3: a move must leave its square"},
		{game.First, "10", OwnTarget, "1 to 0: an own piece stands on 0"},
		{game.First, "13", OwnTarget, "1 to 3: an own piece stands on 3"},
		{game.First, "14", NoWay, "1 to 4: the footman (f) moves 1 forward and captures 2 forward"},
		{game.First, "59", OnlyCaptures, "5 to 9: 9 is empty, and the archer (a) moves 1 forward or 2 backward and captures 4 forward"},
		{game.Second, "03", NoWay, "0 to 3: the queen (q) moves or captures 1 forward"},
		{game.Second, "75", OnlyCaptures, "7 to 5: 5 is empty, and the coward (c) moves 1 backward and captures 2 backward"},
		{game.Second, "9b", NotYours, "9 to b: the piece on 9 is the enemy's"},
	} {
		m, ok := parseMove(c.move)
		if !ok {
			t.Fatal(c.move)
		}
		if c.side == game.Second {
			m = TurnMove(m)
		}
		err := b.Why(c.side, m)
		var illegal *IllegalMove
		if !errors.As(err, &illegal) || illegal.Kind != c.kind {
			t.Errorf("player %v, %s: %v, want kind %d", c.side, c.move, err, c.kind)
			continue
		}
		var framed game.FramedError = illegal
		if got := framed.InFrame(c.side).Error(); got != c.want {
			t.Errorf("player %v, %s: %q, want %q", c.side, c.move, got, c.want)
		}
	}
	if err := b.Why(game.First, game.Move{From: 1, To: 15}); err == nil || err.Error() != "1 to square(15): the board is 0 to e" {
		t.Errorf("off the board: %v", err)
	}
	onlyMoves := mustBoard(t, "kfC            ")
	if err := onlyMoves.Why(game.First, game.Move{From: 1, To: 2}); err == nil ||
		err.Error() != "1 to 2: an enemy stands on 2, and the footman (f) moves 1 forward and captures 2 forward" {
		t.Errorf("a footman runs into an enemy: %v", err)
	}
}
