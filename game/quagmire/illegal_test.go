package quagmire

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
)

// example is the board in the author's text on which he explains the closed loop.
const example = "...OX..X/....X..X/....X.../X....XXX/OOOO..../...OX.../...O..O./OOOO...."

// TestExample is what the author says of his board.
func TestExample(t *testing.T) {
	b := mustBoard(t, example)
	for _, c := range []struct{ side, move, reason string }{
		{"X", "a5 a3", ""},
		{"O", "d8 f8", "d8 f8: the X on e8 can be jumped only across a closed loop of X, but d8-c7-d6-e5-f6-f7-f8 leads around it"},
		{"X", "e3 c5", "e3 c5: the O on d4 can be jumped only across a closed loop of O, but e3-e4-d5-c5 leads around it"},
	} {
		side, err := ParseSide(c.side)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := b.Why(side, mustMove(t, c.move)); err != nil {
			got = err.Error()
		}
		if got != c.reason {
			t.Errorf("%s\n got %q\nwant %q", c.move, got, c.reason)
		}
	}
	if b.EnemyJump(game.Second, mustMove(t, "a5 a6")) || !b.EnemyJump(game.Second, mustMove(t, "a5 a3")) {
		t.Error("a5 a3 is the jump over an enemy, a5 a6 is none")
	}
}

func TestReasons(t *testing.T) {
	const (
		start  = "....XXXX/.....XXX/......XX/.......X/O......./OO....../OOO...../OOOO...."
		corner = "OX....../XXX...../......../......../......../......../.O....../OX......"
		stuck  = "OX.....O/OO....../XX....../......../......../......../......../X......."
		two    = "OXX..O../OOX...../OOX...../XXX...../......../......../XX....../OOX....."
	)
	for _, c := range []struct{ board, lastO, side, move, want string }{
		{start, "", "O", "c2 c4", ""},
		{start, "", "O", "c2 c2", "c2 c2: a move must leave its square"},
		{start, "", "O", "c3 c4", "c3 c4: there is no piece on c3"},
		{start, "", "O", "h5 h4", "h5 h4: the piece on h5 is X, and it is O's turn"},
		{start, "", "X", "a4 a5", "a4 a5: the piece on a4 is O, and it is X's turn"},
		{start, "c2", "O", "c2 c4", "c2 c4: the O on c2 moved on O's last turn, and no piece moves twice in a row"},
		{start, "", "O", "a1 a2", "a1 a2: a2 is occupied by O, and nothing is ever captured"},
		{start, "", "O", "a4 e8", "a4 e8: e8 is occupied by X, and nothing is ever captured"},
		{start, "", "O", "c2 d5", "c2 d5: no row, column or diagonal leads from c2 to d5"},
		{start, "", "O", "a2 a6", "a2 a6: the O on a3 is in the way, and a jump over it would land on a4, which is occupied"},
		{start, "", "O", "a3 a6", "a3 a6: the O on a4 is in the way, and a jump over it ends right behind it, on a5"},
		{start, "", "O", "b1 g6", "b1 g6: g6 is occupied by X, and nothing is ever captured"},
		{start, "", "O", "c2 c8", ""},
		{
			"....X.../......../......../....O.../......../......../......../....O...", "", "O", "e1 e6",
			"e1 e6: the O on e5 is in the way, and only the very next piece can be jumped",
		},
		{"....X.../......../......../....X.../......../......../......../....O...", "", "O", "e1 e6", "e1 e6: the X on e5 is in the way"},
		{"....X.../......../......../......../......../......../....X.../....O...", "", "O", "e1 e6", "e1 e6: the X on e2 is in the way"},
		{
			"....X.../......../......../......../......../......../....X.../....O...", "", "O", "e1 e3",
			"e1 e3: the X on e2 can be jumped only across a closed loop of X, but e1-d2-e3 leads around it",
		},
		{corner, "", "O", "b2 b4", "b2 b4: O must move a piece that is in Quagmire: a8"},
		{corner, "", "O", "a8 a6", ""},
		{corner, "a8", "O", "b2 b4", ""},
		{stuck, "", "O", "h8 h7", "h8 h7: O must move a piece that is in Quagmire: a7 or a8"},
		{two, "", "O", "f8 f7", "f8 f7: O must move a piece that is in Quagmire: a6, b6 or b7"},
	} {
		b := withLast(t, mustBoard(t, c.board), c.lastO, "")
		side, err := ParseSide(c.side)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := b.Why(side, mustMove(t, c.move)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s on %s\n got %q\nwant %q", c.move, c.board, got, c.want)
		}
	}
	b := Start()
	if err := b.Why(game.First, game.Move{From: 0, To: 64}); err == nil || !strings.Contains(err.Error(), "the board is a1 to h8") {
		t.Errorf("off the board: %v", err)
	}
}

// The way that an error names does lead around: from square to square, over no piece of the loop.
func TestLeakIsAWay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	leaks := 0
	for leaks < 500 {
		b := anyBoard(r, 30)
		for from := range b.Of(game.First).All() {
			for to := range (^b.Occupied()).All() {
				var e *IllegalMove
				if !errors.As(b.Why(game.First, game.Move{From: from, To: to}), &e) || e.Kind != NoClosedLoop {
					continue
				}
				leaks++
				if e.Leak[0] != from || e.Leak[len(e.Leak)-1] != to {
					t.Fatalf("%v does not lead from %s to %s", e, SquareName(from), SquareName(to))
				}
				for i, sq := range e.Leak {
					if b.Of(game.Second).Has(sq) || i > 0 && !Around(Bit(e.Leak[i-1])).Has(sq) || i > 0 && sq == e.Leak[i-1] {
						t.Fatalf("%v on %s", e, b.String())
					}
				}
			}
		}
	}
}
