package quagmire

import (
	"encoding/json"
	"os"
	"testing"

	"luzhanqi/game"
)

func TestPerftAgreesWithTheOracle(t *testing.T) {
	text, err := os.ReadFile("testdata/perft.json") // the Quagmire part of the oracle's perft.json
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Counts []uint64 `json:"depth_1_to_3"`
	}
	if err := json.Unmarshal(text, &oracle); err != nil || len(oracle.Counts) != 3 {
		t.Fatalf("%d counts, %v, want 3", len(oracle.Counts), err)
	}
	for i, want := range oracle.Counts {
		if got := game.Perft(NewPosition(), i+1); got != want {
			t.Errorf("depth %d: got %d, want %d", i+1, got, want)
		}
	}
}

// From a position with a forced move, a depth is as many as the first moves have together without
// those that lose at once.
func TestPerftEndsWithTheGame(t *testing.T) {
	lost, played := 0, 0
	for _, p := range oraclePositions(t)[:200] {
		if p.Board.Quagmired(p.Mover.Other()) != 0 {
			continue
		}
		want := uint64(0)
		for _, m := range p.Board.Moves(p.Mover, nil) {
			played++
			next := p.Board
			next.Play(m)
			o, over := next.Outcome(p.Mover)
			if over && o.Winner != p.Mover {
				lost++
			}
			if !over {
				want += uint64(len(next.Moves(p.Mover.Other(), nil)))
			}
		}
		if got := game.Perft(&Position{Turn: game.Turn{}.Of(p.Mover), board: p.Board}, 2); got != want {
			t.Errorf("%s: %d, want %d", p.Board.String(), got, want)
		}
	}
	if lost == 0 || lost == played {
		t.Errorf("%d of %d moves lose at once", lost, played)
	}
}
