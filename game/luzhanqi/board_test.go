package luzhanqi

import (
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/game"
)

func TestPlay(t *testing.T) {
	for _, c := range []struct {
		name, board, move string
		minesStay         bool
		sign              string
		want              string
	}{
		{"quiet", "A6:91 E1:F1", "A6 A8", false, "", "E1:F1 A8:91"},
		{"win", "A6:91 A7:82", "A6 A7", false, ">", "A7:91"},
		{"loss", "A6:81 A7:92", "A6 A7", false, "<", "A7:92"},
		{"tie", "A6:91 A7:92 E1:11", "A6 A7", false, "=", "E1:11"},
		{"bomb", "A6:B1 A7:92", "A6 A7", false, "=", ""},
		{"the engineer clears a mine", "C11:11 C12:L2", "C11 C12", false, ">", "C12:11"},
		{"a mine and its victim", "C11:91 C12:L2", "C11 C12", false, "=", ""},
		{"a mine that stays", "C11:91 C12:L2", "C11 C12", true, "<", "C12:L2"},
		{"a bomb clears a mine that stays", "C11:B1 C12:L2", "C11 C12", true, "=", ""},
		{"flag", "B2:B2 B1:F1", "B2 B1", false, "flag", "B1:B2"},
		{"the second side moves", "A6:91 A7:82 C8:52", "A7 A6", false, "<", "A6:91 C8:52"},
	} {
		b := mustBoard(t, c.board)
		m := mustMove(t, c.move)
		_, wantAttacker, _ := b.At(m.From)
		_, wantDefender, _ := b.At(m.To)
		result, attacker, defender := b.Play(m, c.minesStay)
		if result.String() != c.sign || attacker != wantAttacker || defender != wantDefender || b.String() != c.want {
			t.Errorf("%s: %q by %v on %v gives %q, want %q by %v on %v and %q",
				c.name, result, attacker, defender, b.String(), c.sign, wantAttacker, wantDefender, c.want)
		}
		if b != mustBoard(t, c.want) {
			t.Errorf("%s: the board is not == to the one that was written", c.name)
		}
	}
}

// What a game does to a board is what its text says: == on boards is repetition's comparison, so
// nothing may be left over in the planes, and the pieces not concerned stay.
func TestPlayKeepsTheBoardClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard().Draw(t, "board")
		side := rapid.SampledFrom([]game.Side{game.First, game.Second}).Draw(t, "side")
		minesStay := rapid.Bool().Draw(t, "mines stay")
		for _, m := range b.Moves(side, nil) {
			next := b
			result, attacker, defender := next.Play(m, minesStay)
			want := b
			want.Remove(m.From)
			switch result {
			case Quiet, Win, FlagTaken:
				want.Put(m.To, side, attacker)
			case Tie:
				want.Remove(m.To)
			}
			if result != Combat(attacker, defender, minesStay) {
				t.Fatalf("%s on %s: %q", MoveName(m), b.String(), result)
			}
			if next != want {
				t.Fatalf("%s on %s gives %s, want %s", MoveName(m), b.String(), next.String(), want.String())
			}
			checkClean(t, &next)
		}
	})
}

func checkClean(t *rapid.T, b *Board) {
	occupied := b.Occupied()
	planes := b.planes[0] | b.planes[1] | b.planes[2] | b.planes[3]
	if planes != occupied || b.of[0]&b.of[1] != 0 || occupied&^EverySquare != 0 {
		t.Fatalf("squares %b and %b, but ranks on %b", b.of[0], b.of[1], planes)
	}
}

func TestFlag(t *testing.T) {
	b := mustBoard(t, "B1:F1 D12:F2 C3:L1")
	for side, want := range map[game.Side]string{game.First: "B1", game.Second: "D12"} {
		if sq, ok := b.Flag(side); !ok || SquareName(sq) != want {
			t.Errorf("flag of %v on %s, %v, want %s", side, SquareName(sq), ok, want)
		}
	}
	b.Remove(mustSquare(t, "B1"))
	if sq, ok := b.Flag(game.First); ok {
		t.Errorf("flag of 1 on %s after it was removed", SquareName(sq))
	}
}
