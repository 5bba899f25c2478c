// Package gametest provides what tests of games need: positions with the answers of independent programs,
// comparisons with them, and checks that every game must pass.
package gametest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
)

// Lines returns the lines of gzipped files, which must be so many: copies of positions with their
// legal moves from independent programs.
func Lines(tb testing.TB, want int, paths ...string) (lines [][]byte) {
	tb.Helper()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		unzipped, err := gzip.NewReader(f)
		if err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		scanner := bufio.NewScanner(unzipped)
		for scanner.Scan() {
			lines = append(lines, bytes.Clone(scanner.Bytes()))
		}
		if err := scanner.Err(); err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
	}
	if len(lines) != want {
		tb.Fatalf("%d lines in %v, want %d", len(lines), paths, want)
	}
	return lines
}

// Position is a board, in the type of its game, and whose turn it is.
type Position[B any] struct {
	Board B
	Mover game.Side
}

// Positions reads one position a line.
func Positions[B any](tb testing.TB, lines [][]byte, parse func([]byte) (B, game.Side, error)) (all []Position[B]) {
	tb.Helper()
	for _, line := range lines {
		board, mover, err := parse(line)
		if err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		all = append(all, Position[B]{board, mover})
	}
	return all
}

// AgreesWithOracle compares the analysis of each line with the answers in the line, order included, and the member that holds the board with how the game writes it again. It returns the lines.
func AgreesWithOracle(t *testing.T, g game.Game, rules game.Rules, lines [][]byte, board string, rewrite func(string) (string, error)) (all []map[string]any) {
	t.Helper()
	for n, line := range lines {
		analysis, err := g.Analyse(rules, line)
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		written, err := json.Marshal(analysis)
		if err != nil {
			t.Fatal(err)
		}
		var oracle, got map[string]any
		if err := json.Unmarshal(line, &oracle); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &got); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{}
		for key := range got {
			want[key] = oracle[key]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("line %d: %s (-want +got):\n%s", n+1, line, diff)
		}
		if again, err := rewrite(oracle[board].(string)); err != nil || again != oracle[board] {
			t.Errorf("line %d: the board %s is written as %s, %v", n+1, oracle[board], again, err)
		}
		all = append(all, oracle)
	}
	return all
}

// Refuses checks that each text is refused with an error that contains what the map says, and is short.
func Refuses(t *testing.T, cases map[string]string, read func(text string) error) {
	t.Helper()
	for text, want := range cases {
		if err := read(text); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 500 {
			t.Errorf("%.200s: error %v, want one with %q", text, err, want)
		}
	}
}

// Perft compares the numbers of move sequences of length 0, 1, 2 and so on.
func Perft(t *testing.T, name string, pos game.Position, want ...uint64) {
	t.Helper()
	for depth, n := range want {
		if got := game.Perft(pos, depth); got != n {
			t.Errorf("%s: depth %d has %d, want %d", name, depth, got, n)
		}
	}
}

// MovesPerSecond adds to a benchmark how many moves it has played or found in a second.
func MovesPerSecond(b *testing.B, moves int) {
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
}
