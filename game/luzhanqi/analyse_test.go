package luzhanqi

import (
	"encoding/json"
	"slices"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// oracleLines returns the lines of testdata/positions.jsonl.gz, a copy of the oracle's
// luzhanqi_positions.jsonl.
func oracleLines(t testing.TB) [][]byte {
	t.Helper()
	return gametest.Lines(t, 1127, "testdata/positions.jsonl.gz")
}

func oraclePositions(tb testing.TB) []gametest.Position[Board] {
	tb.Helper()
	return gametest.Positions(tb, oracleLines(tb), parsePosition)
}

func TestAnalyseAgreesWithTheOracle(t *testing.T) {
	moves := 0
	for _, oracle := range gametest.AgreesWithOracle(t, Game{}, game.Rules{"mines": "trade"}, oracleLines(t), "board", rewritten) {
		moves += len(oracle["legal"].([]any))
	}
	if moves != 30263 {
		t.Errorf("%d legal moves in the oracle, want 30263", moves)
	}
}

func rewritten(text string) (string, error) {
	b, err := ParseBoard(text)
	return b.String(), err
}

func TestAnalyseWritesEmptyListsNotNull(t *testing.T) {
	a, err := Analyse([]byte(`{"board":"","to_move":1}`), false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"legal":[],"combat":{}}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnalyseSortsAndNamesResults(t *testing.T) {
	a, err := Analyse([]byte(` {"to_move": 1, "board": "A6:91 A7:82 B6:B1 C12:91 B12:F2 C7:92", "ply": "ignored"} `+"\n"), false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"legal":["A6 A2","A6 A3","A6 A4","A6 A5","A6 A7","A6 B5",` +
		`"B6 B5","B6 C6","B6 D6","B6 E6","C12 B12","C12 C11","C12 D12"],` +
		`"combat":{"A6 A7":"\u003e","C12 B12":"flag"}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnalyseRefuses(t *testing.T) {
	gametest.Refuses(t, map[string]string{
		``:                                       "EOF",
		`null`:                                   `"board" is missing`,
		`[]`:                                     "found array",
		`{}`:                                     `"board" is missing`,
		`{"board":null,"to_move":1}`:             `"board" is missing`,
		`{"board":5,"to_move":1}`:                `"board" is a number`,
		`{"board":""}`:                           `"to_move" is missing: allowed are 1 and 2`,
		`{"board":"","to_move":null}`:            `"to_move" is missing`,
		`{"board":"","to_move":0}`:               "allowed are 1 and 2",
		`{"board":"","to_move":3}`:               "allowed are 1 and 2",
		`{"board":"","to_move":"1"}`:             "allowed are 1 and 2",
		`{"board":"","to_move":1}{}`:             "follows the JSON object",
		`{"board":"","to_move":1} x`:             "follows the JSON object",
		`{"board":"A6:91 A6:92","to_move":1}`:    "A6 is filled twice",
		`{"board":"A6:91`:                        "unexpected EOF",
		`{"board":"A13:91","to_move":1}`:         "allowed are A1 to E12",
		`{"board":"A6:91","to_move":1}` + "\n]":  "follows the JSON object",
		`{"board":"A6:91","to_move":1}` + "\x00": "follows the JSON object",
	}, func(line string) error {
		_, err := Analyse([]byte(line), false)
		return err
	})
}

func FuzzAnalyse(f *testing.F) {
	for _, line := range oracleLines(f)[:20] {
		f.Add(line)
	}
	f.Add([]byte(`{"board":"","to_move":2}`))
	f.Add([]byte(`{"board":"A1:F1 A1:F1","to_move":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := Analyse(line, false)
		if err != nil {
			return
		}
		if _, err := json.Marshal(a); err != nil {
			t.Error(err)
		}
		for move := range a.Combat {
			if !slices.Contains(a.Legal, move) {
				t.Errorf("combat of %s, which is not legal", move)
			}
		}
	})
}
