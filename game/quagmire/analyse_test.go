package quagmire

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// oracleLines returns the lines of testdata/positions.jsonl.gz, a copy of the oracle's
// quagmire_positions.jsonl.
func oracleLines(t testing.TB) [][]byte {
	t.Helper()
	return gametest.Lines(t, 1000, "testdata/positions.jsonl.gz")
}

// oraclePosition is a board and whose turn it is.
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

func TestAnalyseAgreesWithTheOracle(t *testing.T) {
	moves, enemyJumps, over := 0, 0, 0
	for n, line := range oracleLines(t) {
		analysis, err := Analyse(line)
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		written, err := json.Marshal(analysis)
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]any
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &got); err != nil {
			t.Fatal(err)
		}
		board, _, err := parsePosition(line)
		if err != nil || board.String() != want["board"] {
			t.Errorf("line %d: board is written as %s, %v, want %s", n+1, board.String(), err, want["board"])
		}
		moves += len(analysis.Legal)
		enemyJumps += len(analysis.EnemyJumps)
		if analysis.Result != nil {
			over++
		}
		for _, input := range []string{"board", "to_move", "last_O", "last_X"} {
			delete(want, input)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("line %d: %s (-want +got):\n%s", n+1, line[:90], diff)
		}
	}
	t.Logf("%d moves, %d enemy jumps, %d games over", moves, enemyJumps, over)
	if over != 33 || enemyJumps == 0 {
		t.Errorf("%d games over and %d enemy jumps in the oracle, want 33 and some", over, enemyJumps)
	}
}

func TestOracleAgreesWithTheReference(t *testing.T) {
	for _, p := range oraclePositions(t)[:100] {
		agree(t, p.board)
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
	for line, want := range map[string]string{
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
	} {
		_, err := Analyse([]byte(line))
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.80s: error %v, want one with %q", line, err, want)
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
