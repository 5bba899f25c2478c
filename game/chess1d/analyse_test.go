package chess1d

import (
	"encoding/json"
	"slices"
	"testing"

	"luzhanqi/game/gametest"
)

// oracleLines returns the lines of testdata/positions.jsonl.gz, a copy of the oracle's
// chess1d_positions.jsonl.
func oracleLines(t testing.TB) [][]byte {
	t.Helper()
	return gametest.Lines(t, 1000, "testdata/positions.jsonl.gz")
}

func TestAnalyseAgreesWithTheOracle(t *testing.T) {
	moves, results := 0, map[any]int{}
	rewritten := func(text string) (string, error) {
		b, err := ParseBoard(text)
		return b.String(), err
	}
	for _, oracle := range gametest.AgreesWithOracle(t, Game{}, nil, oracleLines(t), "board", rewritten) {
		moves += len(oracle["legal"].([]any))
		results[oracle["result"]]++
	}
	if moves != 2304 || results["own royal captured"] != 78 || results["no legal moves"] != 131 {
		t.Errorf("%d moves and results %v, want 2304, 78 and 131", moves, results)
	}
}

func TestAnalyseWritesEmptyListsNotNull(t *testing.T) {
	a, err := Analyse([]byte(`{"board":"k             K"}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"legal":[],"winning":[],"result":"no legal moves"}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnalyseRefuses(t *testing.T) {
	gametest.Refuses(t, map[string]string{
		``:                                     "EOF",
		`null`:                                 `"board" is missing`,
		`[]`:                                   "found array",
		`{}`:                                   `"board" is missing`,
		`{"board":5}`:                          `"board" is a number`,
		`{"board":"kahf      FHAK"}`:           "has 14 characters, must have 15",
		`{"board":"kahf        FHAK"}`:         "has 16 characters, must have 15",
		`{"board":"kahf   x   FHAK"}`:          `square 7 holds 'x'`,
		`{"board":"kahf   c   FHAK"}`:          "player 1 has both f and c",
		`{"board":"kahf  F    FHAK"}`:          "player 2 has both F and F",
		`{"board":"kahf       FHAK"} {}`:       "follows the JSON object",
		`{"board":"kahf       FHAK`:            "unexpected EOF",
		`{"board":"k\u00e9hf       FHAK"}`:     "has 16 characters, must have 15",
		`{"board":"kahf  \u0000    FHAK"}`:     `square 6 holds '\x00'`,
		`{"board":"kahf       FHAK"}` + "\x00": "follows the JSON object",
	}, func(line string) error {
		_, err := Analyse([]byte(line))
		return err
	})
}

func FuzzAnalyse(f *testing.F) {
	for _, line := range oracleLines(f)[:20] {
		f.Add(line)
	}
	f.Add([]byte(`{"board":"               "}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := Analyse(line)
		if err != nil {
			return
		}
		if _, err := json.Marshal(a); err != nil {
			t.Error(err)
		}
		for _, m := range a.Winning {
			if !slices.Contains(a.Legal, m) {
				t.Errorf("%s wins, but is not legal", m)
			}
		}
		if (a.Result == nil) != (len(a.Legal) > 0) {
			t.Errorf("%d moves and result %v", len(a.Legal), a.Result)
		}
	})
}
