package luzhanqi

import (
	"encoding/json"
	"os"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
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

// positionOf is a game that stands on a board, whoever may have played so.
func positionOf(b Board, mover game.Side, minesStay bool) *Position {
	return &Position{Turn: game.Turn{}.Of(mover), board: b, minesStay: minesStay, views: [2]*View{{}, {side: game.Second}}}
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
			if got := game.Perft(positionOf(c.board, game.First, false), i+1); got != want {
				t.Errorf("pair %d, depth %d: got %d, want %d", n+1, i+1, got, want)
			}
		}
	}
}

// The same game turned by 180° has as many continuations, whichever rule mines follow, and as many
// as its first moves have together.
func TestPerftIsConsistent(t *testing.T) {
	const depth = 4
	for n, c := range perftCases(t) {
		turned := c.board.Turn()
		for _, minesStay := range []bool{false, true} {
			want := game.Perft(positionOf(c.board, game.First, minesStay), depth)
			if got := game.Perft(positionOf(turned, game.Second, minesStay), depth); got != want {
				t.Errorf("pair %d, mines stay %v: turned %d, want %d", n+1, minesStay, got, want)
			}
			sum := uint64(0)
			for _, m := range c.board.Moves(game.First, nil) {
				next := c.board
				next.Play(m, minesStay)
				sum += game.Perft(positionOf(next, game.Second, minesStay), depth-1)
			}
			if sum != want {
				t.Errorf("pair %d, mines stay %v: the first moves have %d, want %d", n+1, minesStay, sum, want)
			}
		}
	}
}

func TestPerftEndsWithTheGame(t *testing.T) {
	for _, c := range []struct {
		name, board string
		want        []uint64 // from depth 0
	}{
		{"a captured flag has no continuation", "A1:11 A2:L1 B1:F2 C3:91 A12:12", []uint64{1, 5, 8}},
		{"who cannot move has none", "B1:91 B12:92", []uint64{1, 0, 0}},
		{"nothing on the board", "", []uint64{1, 0}},
	} {
		gametest.Perft(t, c.name, positionOf(mustBoard(t, c.board), game.First, false), c.want...)
	}
}
