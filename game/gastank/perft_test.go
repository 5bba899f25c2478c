package gastank

import (
	"encoding/json"
	"os"
	"testing"

	"luzhanqi/game"
)

func TestPerftAgreesWithTheOracle(t *testing.T) {
	text, err := os.ReadFile("testdata/perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var counts []uint64
	if err := json.Unmarshal(text, &counts); err != nil || len(counts) != 3 {
		t.Fatalf("%v, %v", counts, err)
	}
	for i, want := range counts {
		for side := range game.Side(2) {
			if got := game.Perft(Position{Turn: game.Turn{}.Of(side), board: Start()}, i+1); got != want {
				t.Errorf("depth %d, player %v first: got %d, want %d", i+1, side, got, want)
			}
		}
	}
}

func TestPerftAgreesWithTheReference(t *testing.T) {
	for n, line := range oracleLines(t) {
		if n%40 != 0 {
			continue
		}
		b, side, err := parsePosition(line)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := game.Perft(Position{Turn: game.Turn{}.Of(side), board: b}, 2), slowPerft(newReference(b.String(), side == game.First), 2); got != want {
			t.Errorf("line %d, %s: got %d, want %d", n+1, b.String(), got, want)
		}
	}
}
