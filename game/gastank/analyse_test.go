package gastank

import (
	"encoding/json"
	"strings"
	"testing"

	"luzhanqi/game/gametest"
)

// oracleLines returns the lines of testdata/positions.jsonl.gz, a copy of the oracle's
// gastank_positions.jsonl.
func oracleLines(t testing.TB) [][]byte {
	t.Helper()
	return gametest.Lines(t, 1000, "testdata/positions.jsonl.gz")
}

func oraclePositions(tb testing.TB) []gametest.Position[Board] {
	tb.Helper()
	return gametest.Positions(tb, oracleLines(tb), parsePosition)
}

func TestAnalyseAgreesWithTheOracle(t *testing.T) {
	moves, ended := 0, map[string]int{}
	rewritten := func(text string) (string, error) {
		b, err := ParseBoard(text)
		return b.String(), err
	}
	for _, oracle := range gametest.AgreesWithOracle(t, Game{}, nil, oracleLines(t), "board", rewritten) {
		moves += len(oracle["legal"].([]any))
		if result, over := oracle["result"].(map[string]any); over {
			ended[result["reason"].(string)]++
		}
	}
	if moves != 15848 || ended[NoLegalMoves] != 259 || ended[KingCaptured] != 18 {
		t.Errorf("the oracle has %d moves and the ends %v, want 15848, 259 without moves and 18 captures", moves, ended)
	}
}

func TestAnalyseRefuses(t *testing.T) {
	start := Start()
	board := start.String()
	gametest.Refuses(t, map[string]string{
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
	}, func(line string) error {
		_, err := Analyse([]byte(line))
		return err
	})
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
