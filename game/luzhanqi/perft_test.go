package luzhanqi

import (
	"encoding/json"
	"os"
	"testing"

	"luzhanqi/game"
)

type perftCase struct {
	board Board
	want  []uint64 // by depth, from 1
}

// perftCases reads testdata/perft.json, a copy of the Luzhanqi part of the oracle's perft.json.
func perftCases(t testing.TB) []perftCase {
	t.Helper()
	text, err := os.ReadFile("testdata/perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var entries []struct {
		First  string   `json:"setup_1"`
		Second string   `json:"setup_2_own_frame"`
		Counts []uint64 `json:"depth_1_to_3"`
	}
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Fatalf("%d perft entries, want 2", len(entries))
	}
	var cases []perftCase
	for _, e := range entries {
		first, second := mustSetUp(t, e.First), mustSetUp(t, e.Second)
		for text, s := range map[string]SetUp{e.First: first, e.Second: second} {
			if s.String() != text {
				t.Errorf("set-up is written as %s, want %s", s.String(), text)
			}
		}
		cases = append(cases, perftCase{Deploy(first, second), e.Counts})
	}
	return cases
}

func mustSetUp(t testing.TB, text string) SetUp {
	t.Helper()
	s, err := ParseSetUp(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPerftAgreesWithTheOracle(t *testing.T) {
	for n, c := range perftCases(t) {
		for i, want := range c.want {
			if got := Perft(c.board, game.First, i+1, false); got != want {
				t.Errorf("pair %d, depth %d: got %d, want %d", n+1, i+1, got, want)
			}
		}
	}
}
