package jungle

import (
	"encoding/json"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// oracleLines returns the lines of testdata/positions.jsonl.gz, from random games, and of
// synthetic.jsonl.gz, random placements: copies of the oracle's jungle_*.jsonl.
func oracleLines(t testing.TB) [][]byte {
	t.Helper()
	return gametest.Lines(t, 3250, "testdata/positions.jsonl.gz", "testdata/synthetic.jsonl.gz")
}

func oraclePositions(tb testing.TB) []gametest.Position[Board] {
	tb.Helper()
	return gametest.Positions(tb, oracleLines(tb), func(line []byte) (Board, game.Side, error) { return parsePosition(line, Referee) })
}

// TestAnalyseAgreesWithTheOracle compares order too: a program that answers with the third move
// must meet the same third move.
func TestAnalyseAgreesWithTheOracle(t *testing.T) {
	moves := 0
	rewritten := func(text string) (string, error) {
		b, err := ParseBoard(text, Referee)
		return b.String(), err
	}
	for _, oracle := range gametest.AgreesWithOracle(t, Game{}, game.Rules{"rules": "referee"}, oracleLines(t), "units", rewritten) {
		moves += len(oracle["legal"].([]any))
	}
	if moves != 51923 {
		t.Errorf("%d legal moves in the oracle, want 51923", moves)
	}
}

func TestAnalyseFormat(t *testing.T) {
	for line, want := range map[string]string{
		`{"units":"","to_move":"red"}`: `{"legal":[]}`,
		// The order of the units does not matter, other members are ignored.
		` {"turn": 3, "to_move": "blue", "units": "r00 l33 E88x"}`:  "",
		` {"turn": 3, "to_move": "blue", "units": "r00  l33 E66"} `: `{"legal":["3 3 3 2","3 3 3 4","3 3 0 3","3 3 6 3","0 0 1 0","0 0 0 1"]}`,
		// An entered den is the end, for both.
		`{"units":"E30 r00","to_move":"blue"}`: `{"legal":[]}`,
		`{"units":"E30 r00","to_move":"red"}`:  `{"legal":[]}`,
	} {
		a, err := Analyse([]byte(line), Referee)
		if want == "" {
			if err == nil {
				t.Errorf("%s is accepted", line)
			}
			continue
		}
		got, _ := json.Marshal(a)
		if err != nil || string(got) != want {
			t.Errorf("%s\n got %s, %v\nwant %s", line, got, err, want)
		}
	}
}

func TestAnalyseRefuses(t *testing.T) {
	gametest.Refuses(t, map[string]string{
		``:                                          "EOF",
		`null`:                                      `"units" is missing`,
		`[]`:                                        "found array",
		`{}`:                                        `"units" is missing`,
		`{"units":null,"to_move":"red"}`:            `"units" is missing`,
		`{"units":5,"to_move":"red"}`:               `"units" is a number`,
		`{"units":""}`:                              `"to_move" is missing: allowed are "red" and "blue"`,
		`{"units":"","to_move":1}`:                  `"to_move" is a number`,
		`{"units":"","to_move":"Red"}`:              "allowed are red and blue",
		`{"units":"","to_move":"red"}{}`:            "follows the JSON object",
		`{"units":"","to_move":"red"}` + "\x00":     "follows the JSON object",
		`{"units":"E00 r00","to_move":"red"}`:       "0 0 is filled twice",
		`{"units":"E00 E01","to_move":"red"}`:       "red's elephant is there twice",
		`{"units":"E38","to_move":"red"}`:           "3 8 is red's own den",
		`{"units":"c30","to_move":"red"}`:           "3 0 is blue's own den",
		`{"units":"l13","to_move":"red"}`:           "1 3 is water",
		`{"units":"E30 e38","to_move":"red"}`:       "both dens are entered",
		`{"units":"E70","to_move":"red"}`:           "x must be 0 to 6, y 0 to 8",
		`{"units":"E09","to_move":"red"}`:           "x must be 0 to 6, y 0 to 8",
		`{"units":"E-1","to_move":"red"}`:           "x must be 0 to 6, y 0 to 8",
		`{"units":"X00","to_move":"red"}`:           "allowed are ELTPWDCR for red, eltpwdcr for blue",
		`{"units":"E000","to_move":"red"}`:          "must be a letter, x and y",
		`{"units":"E00`:                             "unexpected EOF",
		`{"units":"\u0000\u0000","to_move":"r"}`:    "allowed are red and blue",
		`{"units":"\u0000\u00000","to_move":"red"}`: "allowed are ELTPWDCR",
	}, func(line string) error {
		_, err := Analyse([]byte(line), Referee)
		return err
	})
}

func FuzzAnalyse(f *testing.F) {
	for _, line := range oracleLines(f)[:20] {
		f.Add(line)
	}
	f.Add([]byte(`{"units":"E30 r13 l62","to_move":"blue"}`))
	f.Add([]byte(`{"units":"E00 E00","to_move":"red"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, r := range []Reading{Referee, Statement} {
			a, err := Analyse(line, r)
			if err != nil {
				return
			}
			if _, err := json.Marshal(a); err != nil || len(a.Legal) > MaxMoves {
				t.Error(a, err)
			}
			for _, name := range a.Legal {
				if _, err := (Game{}).ParseMove(name); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
