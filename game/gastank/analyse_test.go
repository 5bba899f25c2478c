package gastank

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// oracleLines returns the lines of testdata/positions.jsonl.gz, a copy of the oracle's
// gastank_positions.jsonl.
func oracleLines(t testing.TB) [][]byte {
	t.Helper()
	return gametest.Lines(t, 1000, "testdata/positions.jsonl.gz")
}

type oraclePosition struct {
	board Board
	mover game.Side
}

func oraclePositions(t testing.TB) []oraclePosition {
	t.Helper()
	var all []oraclePosition
	for _, line := range oracleLines(t) {
		board, mover, err := parsePosition(line)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, oraclePosition{board, mover})
	}
	return all
}

// TestAnalyseAgreesWithTheOracle compares the answers byte for byte, written in the oracle's spacing.
func TestAnalyseAgreesWithTheOracle(t *testing.T) {
	moves, ended := 0, map[string]int{}
	for n, line := range oracleLines(t) {
		analysis, err := Game{}.Analyse(nil, line)
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		got, err := json.Marshal(analysis)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, line); err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(want.Bytes(), []byte(`"legal"`))
		if wanted := "{" + want.String()[at:]; string(got) != wanted {
			t.Errorf("line %d:\ngot  %s\nwant %s", n+1, got, wanted)
		}
		a := analysis.(Analysis)
		moves += len(a.Legal)
		if a.Result != nil {
			ended[a.Result.Reason]++
		}
		var position struct{ Board string }
		if err := json.Unmarshal(line, &position); err != nil {
			t.Fatal(err)
		}
		board, err := ParseBoard(position.Board)
		if err != nil || board.String() != position.Board {
			t.Errorf("line %d: the board %s is written as %s, %v", n+1, position.Board, board.String(), err)
		}
	}
	if moves != 15848 || ended[NoLegalMoves] != 259 || ended[KingCaptured] != 18 {
		t.Errorf("the oracle has %d moves and the ends %v, want 15848, 259 without moves and 18 captures", moves, ended)
	}
}

func TestAnalyseRefuses(t *testing.T) {
	start := Start()
	board := start.String()
	for line, want := range map[string]string{
		``:                               "EOF",
		`null`:                           `"board" is missing`,
		`[]`:                             "found array",
		`{"board":5,"to_move":"l"}`:      `"board" is a number`,
		`{"board":"` + board + `"}`:      `"to_move" is missing`,
		`{"board":"","to_move":"up"}`:    `"to_move" is "up": allowed are`,
		`{"board":"","to_move":1}`:       `"to_move" is a number`,
		`{"board":"","to_move":"upper"}`: `has 1 ranks separated by "/", expected 7`,
		`{"board":"` + strings.Replace(board, "K3", "--", 1) + `","to_move":"upper"} x`:                    "follows the JSON object",
		`{"board":"` + strings.Replace(board, "K3", "K4", 1) + `","to_move":"upper"}`:                      `E7: cell "K4"`,
		`{"board":"` + strings.Replace(board, "Q3", "K3", 1) + `","to_move":"upper"}`:                      "2 kings K",
		`{"board":"` + strings.Replace(board, "-- -- B3", "-- B3", 1) + `","to_move":"upper"}`:             "rank 7 \"-- B3",
		`{"board":"` + strings.Repeat("-- ", 100) + `","to_move":"upper"}`:                                 "has 300 characters",
		`{"board":"` + strings.NewReplacer("K3", "--", "k3", "--").Replace(board) + `","to_move":"upper"}`: "0 kings k and 0 kings K",
	} {
		_, err := Analyse([]byte(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", line, err, want)
		}
	}
}

func FuzzAnalyse(f *testing.F) {
	for _, line := range oracleLines(f)[:20] {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := Analyse(line)
		if err != nil {
			return
		}
		if _, err := json.Marshal(a); err != nil {
			t.Error(err)
		}
		if (len(a.Legal) == 0) != (a.Result != nil) {
			t.Errorf("%d legal moves, but the result is %v", len(a.Legal), a.Result)
		}
	})
}
