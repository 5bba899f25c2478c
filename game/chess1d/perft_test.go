package chess1d

import (
	"encoding/json"
	"os"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// TestPerftAgreesWithTheOracle reads testdata/perft.json, a copy of the 1-D chess part of the oracle's
// perft.json. The boards are set up through Game, as a command line would.
func TestPerftAgreesWithTheOracle(t *testing.T) {
	text, err := os.ReadFile("testdata/perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var entries []struct {
		Board  string   `json:"board"`
		Counts []uint64 `json:"depth_1_to_8"`
	}
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 {
		t.Fatalf("%d perft entries, want 3", len(entries))
	}
	for _, e := range entries {
		b := mustBoard(t, e.Board)
		turned := b.Turn()
		setUps := [2]game.SetUp{game.SetUp(b.String()[:Own]), game.SetUp(turned.String()[:Own])}
		pos, err := Game{}.New(game.Rules{}, setUps)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Counts) != 8 {
			t.Fatalf("%q: %d depths, want 8", e.Board, len(e.Counts))
		}
		for n, want := range e.Counts {
			if got := game.Perft(pos, n+1); got != want {
				t.Errorf("%q, depth %d: got %d, want %d", e.Board, n+1, got, want)
			}
			if got := game.Perft(NewPosition(turned, game.Second, false), n+1); got != want {
				t.Errorf("%q turned, depth %d: got %d, want %d", e.Board, n+1, got, want)
			}
		}
	}
}

func TestPerftEndsWithTheGame(t *testing.T) {
	for _, c := range []struct {
		name, board string
		want        []uint64 // from depth 0
	}{
		{"a captured royal has no continuation", "   sK  q       ", []uint64{1, 4, 3}},
		{"who cannot move has none", "k             K", []uint64{1, 0, 0}},
		{"nothing on the board", "               ", []uint64{1, 0}},
	} {
		gametest.Perft(t, c.name, NewPosition(mustBoard(t, c.board), game.First, false), c.want...)
	}
}
