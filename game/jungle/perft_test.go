package jungle

import (
	"encoding/json"
	"os"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// TestPerftAgreesWithTheOracle counts what testdata/perft.json, the Jungle part of the oracle's
// perft.json, counts: the sequences of each length, and those that end in a capture or in a den.
func TestPerftAgreesWithTheOracle(t *testing.T) {
	text, err := os.ReadFile("testdata/perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Counts   []uint64 `json:"depth_1_to_5"`
		Captures []uint64 `json:"sequences_ending_in_capture"`
		Dens     *uint64  `json:"den_entries"`
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Counts) != 5 || len(want.Captures) != 5 || want.Dens == nil {
		t.Fatalf("perft.json is not complete: %s", text)
	}
	dens := uint64(0)
	for i, n := range want.Counts {
		if got := game.Perft(NewPosition(Start(Referee), game.First), i+1); got != n {
			t.Errorf("depth %d: %d, want %d", i+1, got, n)
		}
		captures, entries := endings(Start(Referee), game.First, i+1)
		if captures != want.Captures[i] {
			t.Errorf("depth %d: %d end in a capture, want %d", i+1, captures, want.Captures[i])
		}
		dens += entries
	}
	if dens != *want.Dens {
		t.Errorf("%d den entries, want %d", dens, *want.Dens)
	}
}

// endings counts the sequences whose last move captures, or enters a den.
func endings(b Board, side game.Side, depth int) (captures, dens uint64) {
	if _, over := b.Winner(); over {
		return 0, 0
	}
	for _, m := range b.Moves(side, nil) {
		next := b.Play(m)
		if depth > 1 {
			c, d := endings(next, side.Other(), depth-1)
			captures, dens = captures+c, dens+d
			continue
		}
		if next.Occupied().Len() < b.Occupied().Len() {
			captures++
		}
		if _, over := next.Winner(); over {
			dens++
		}
	}
	return captures, dens
}

func TestPerftEndsWithTheGame(t *testing.T) {
	for _, c := range []struct {
		name, units string
		want        []uint64 // from depth 0, red first
	}{
		{"an entered den has no continuation", "C20 e06", []uint64{1, 3, 6}},
		{"the den was entered before", "C30 e06", []uint64{1, 0}},
		{"who has no piece has no move", "e06", []uint64{1, 0, 0}},
		{"nothing on the board", "", []uint64{1, 0}},
	} {
		gametest.Perft(t, c.name, NewPosition(mustBoard(t, c.units), game.First), c.want...)
	}
}

func mustBoard(t testing.TB, units string) Board {
	t.Helper()
	b, err := ParseBoard(units, Referee)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
