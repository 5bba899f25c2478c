package luzhanqi

import (
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/network"
)

// A judge that follows the pieces that a playout has touched says what one that begins where the playout ended would say,
// had it seen the same.
func TestJudgesFollow(t *testing.T) {
	betrayed := 0
	for n, w := range benchWorlds(t, 30, 20) {
		for side := range game.Side(2) {
			judges := map[string]judge{"newest": Newest(w, side), "frozen": FrozenNetwork(w, side)}
			s := w.start
			r := newRNG(3, 0, n)
			for range 60 {
				w.playout(&s, 1, &r, &moveBuffer{})
				terms := w.terms(&s, side)
				end := *w
				end.start = s
				for name, j := range judges {
					again := Newest
					if name == "frozen" {
						again = FrozenNetwork
					}
					if got, want := j.judge(&s, &terms), again(&end, side).judge(&s, &terms); got != want {
						t.Fatalf("world %d, %s: %v, must be %v", n, name, got, want)
					}
				}
			}
			for owner := range game.Side(2) {
				for sq := range s.of[owner].All() {
					if w.seen(&s, owner, sq) == network.Betrayed {
						betrayed++
					}
				}
			}
		}
	}
	if betrayed < 20 {
		t.Errorf("only %d pieces had betrayed what they are: the games show too little", betrayed)
	}
}

// What the enemy has seen of a piece is whether it moved, and whether it beat somebody almost as strong.
func TestSeen(t *testing.T) {
	b, err := luzhanqi.ParseBoard("B1:F1 A1:L1 A6:91 C6:51 E6:31 E5:11 D12:F2 A7:82 C7:22 E7:42 E8:72 C8:12")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(&b, game.First, false, bySquare())
	s := w.start
	for _, step := range []struct {
		move, piece string
		want        int
	}{
		{"A6 A7", "A7", network.Betrayed}, // 9 beats 8
		{"A7 A8", "A8", network.Betrayed},
		{"C6 C7", "C7", network.Moved},    // 5 beats 2
		{"E6 E7", "E7", network.Betrayed}, // 4 is attacked by 3
		{"E5 E8", "E8", network.Moved},    // 7 is attacked by an engineer
		{"C8 A1", "A1", network.Moved},    // an engineer takes a landmine
		{"", "B1", network.Unmoved},
	} {
		if step.move != "" {
			m, err := luzhanqi.Game{}.ParseMove(step.move)
			if err != nil {
				t.Fatal(err)
			}
			if s.of[s.mover]&luzhanqi.Bit(m.From) == 0 {
				s.mover = s.mover.Other() // whose turn it is does not matter here
			}
			s.play(m.From, m.To)
		}
		sq, err := luzhanqi.ParseSquare(step.piece)
		if err != nil {
			t.Fatal(err)
		}
		owner := game.First
		if s.of[game.Second].Has(sq) {
			owner = game.Second
		}
		if got := w.seen(&s, owner, sq); got != step.want {
			t.Errorf("after %s %s: %d, must be %d", step.move, step.piece, got, step.want)
		}
	}
}
