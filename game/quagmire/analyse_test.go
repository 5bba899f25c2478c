package quagmire

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game/gametest"
)

// oracleLines returns the lines of testdata/positions.jsonl.gz, a copy of the oracle's
// quagmire_positions.jsonl.
func oracleLines(t testing.TB) [][]byte {
	t.Helper()
	return gametest.Lines(t, 1000, "testdata/positions.jsonl.gz")
}

func oraclePositions(tb testing.TB) []gametest.Position[Board] {
	tb.Helper()
	return gametest.Positions(tb, oracleLines(tb), parsePosition)
}

func TestAnalyseAgreesWithTheOracle(t *testing.T) {
	enemyJumps, over := 0, 0
	rewritten := func(text string) (string, error) {
		b, err := ParseBoard(text)
		return b.String(), err
	}
	for _, oracle := range gametest.AgreesWithOracle(t, Game{}, nil, oracleLines(t), "board", rewritten) {
		enemyJumps += len(oracle["enemy_jumps"].([]any))
		if oracle["result"] != nil {
			over++
		}
	}
	if over != 33 || enemyJumps == 0 {
		t.Errorf("%d games over and %d enemy jumps in the oracle, want 33 and some", over, enemyJumps)
	}
}

func TestOracleAgreesWithTheReference(t *testing.T) {
	for _, p := range oraclePositions(t)[:100] {
		agree(t, p.Board)
	}
}

func TestAnalyseWritesEmptyListsNotNull(t *testing.T) {
	a, err := Analyse([]byte(`{"board":"......../......../......../......../......../......../......../........","to_move":"O"}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"legal":[],"enemy_jumps":[],"quagmired_mover":[],"quagmired_other":[],"result":{"winner":"X","reason":"no legal moves"}}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAnalyseExample is the example of README.md.
func TestAnalyseExample(t *testing.T) {
	a, err := Game{}.Analyse(nil, []byte(`{"board": "OX....../XXX...../......../......../......../......../.O....../OX......", "to_move": "O", "last_O": "b2"}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"legal":["a8 a6","a8 c6","a8 c8"],"enemy_jumps":["a8 a6","a8 c6","a8 c8"],"quagmired_mover":["a8"],"quagmired_other":[],"result":null}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil || !strings.Contains(string(readme), want) || !strings.Contains(string(readme), startDrawn) {
		t.Errorf("README.md, %v, shows something else", err)
	}
}

func TestAnalyseRefuses(t *testing.T) {
	const empty = "......../......../......../......../......../......../......../......../"
	board := `"board":"` + empty[:71] + `"`
	gametest.Refuses(t, map[string]string{
		``:                                "EOF",
		`null`:                            `"board" is missing`,
		`[]`:                              "found array",
		`{}`:                              `"board" is missing`,
		`{"board":5,"to_move":"O"}`:       `"board" is a number`,
		`{` + board + `}`:                 `"to_move" is missing`,
		`{` + board + `,"to_move":1}`:     `"to_move" is a number`,
		`{` + board + `,"to_move":"o"}`:   `to_move: side "o": allowed are O and X`,
		`{` + board + `,"to_move":"O"}{}`: "follows the JSON object",
		`{` + board + `,"to_move":"O","last_O":"i1"}`:                `last_O: square "i1": allowed are a1 to h8`,
		`{` + board + `,"to_move":"O","last_X":"a1"}`:                "no X stands on a1",
		`{"board":"O.......","to_move":"O"}`:                         "1 rows",
		`{"board":"` + empty + `","to_move":"O"}`:                    "9 rows",
		`{"board":"` + empty[1:71] + `","to_move":"O"}`:              `row 8, ".......": allowed are 8 characters`,
		`{"board":"` + empty[:70] + `o","to_move":"O"}`:              `h1, "o": allowed are O, X and .`,
		`{"board":"` + strings.Repeat("/", 1e5) + `","to_move":"O"}`: "allowed are 71 characters",
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
		for _, move := range a.EnemyJumps {
			if !slices.Contains(a.Legal, move) {
				t.Errorf("enemy jump %s is not legal", move)
			}
		}
		if (a.Result == nil) != (len(a.Legal) > 0) {
			t.Errorf("result %v with %d moves", a.Result, len(a.Legal))
		}
	})
}
