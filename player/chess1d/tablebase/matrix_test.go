package tablebase

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// fakeBlock is a block of values that no solve has made.
func fakeBlock(m matchup) *block {
	r := rand.New(rand.NewPCG(uint64(m[0]), uint64(m[1])))
	b := new(block)
	for side := range b {
		for n := range b[side] {
			b[side][n] = valueBytes[r.IntN(len(valueBytes))]
		}
	}
	return b
}

// What was solved is taken from its files; what is missing is solved, or not when there is no more time;
// a file that is something else is not touched.
func TestSolveMatrixResumes(t *testing.T) {
	dir := t.TempDir()
	for _, m := range allMatchups() {
		b := fakeBlock(m)
		text := blockHeader(m, false) + string(b[0][:]) + string(b[1][:])
		if err := os.WriteFile(blockPath(dir, m, false), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	last, total := 0, 0
	x, err := SolveMatrix(context.Background(), dir, false, func(_ string, done, of int) { last, total = done, of })
	if err != nil || last != total || total != 915_072 {
		t.Fatalf("%v, %d of %d layers", err, last, total)
	}
	m := matchup{3, 9}
	b := fakeBlock(m)
	for n := range 2000 {
		row, column := n*7%perArmy, n*11%perArmy
		first, second := 3*perArmy+row, 9*perArmy+column
		if got, want := x.At(first, second), Value(strings.IndexByte(valueBytes, b[0][row*perArmy+column])-1); got != want {
			t.Fatalf("%d against %d: %v, want %v", first, second, got, want)
		}
		if got, want := x.At(second, first), Value(strings.IndexByte(valueBytes, b[1][row*perArmy+column])-1); got != want {
			t.Fatalf("%d against %d: %v, want %v", second, first, got, want)
		}
	}
	path := blockPath(dir, m, false)
	if err := os.WriteFile(path, []byte("my diary"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := SolveMatrix(context.Background(), dir, false, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names %s", err, path)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := SolveMatrix(ctx, dir, false, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that the time is over", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != len(allMatchups())-1 {
		t.Errorf("%d files, want %d", len(left), len(allMatchups())-1)
	}
}

// The cheapest table is solved for real, written and read, and the search agrees with a sample of it.
// The equilibrium between its set-ups passes its own check; so does the symmetry of the game.
func TestOneArmy(t *testing.T) {
	a, _ := parseArmy("csak")
	m := matchup{a, a}
	solved, err := solveBlock(context.Background(), m, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeBlock(dir, m, false, solved); err != nil {
		t.Fatal(err)
	}
	read, err := readBlock(dir, m, false)
	if err != nil || !bytes.Equal(read[0][:], solved[0][:]) || !bytes.Equal(read[1][:], solved[1][:]) {
		t.Fatalf("a block changes on its way through a file: %v", err)
	}
	if other, err := readBlock(dir, m, true); other != nil || err != nil {
		t.Errorf("the other reading's values are there too: %v", err)
	}
	for row := range perArmy {
		for column := range perArmy {
			if solved[0][row*perArmy+column] != solved[1][column*perArmy+row] {
				t.Fatalf("%d against %d depends on which end it is played from", row, column)
			}
		}
	}
	x := &Matrix{}
	x.blocks[a][a] = read
	first := int(a) * perArmy
	r := rand.New(rand.NewPCG(1, 9))
	for range 40 {
		mover, other := first+r.IntN(perArmy), first+r.IntN(perArmy)
		b := chess1d.Deploy(setUps()[mover], setUps()[other])
		want := x.At(mover, other)
		got, err := new(Solver).Solve(b, game.First, false, Budget{Nodes: 300_000})
		if err == nil && got.Exact && got.Value != want {
			t.Errorf("%q: the search finds a %v, the table has a %v", b, got.Value, want)
		}
	}
	for name, p := range map[string]Payoff{"averaged": x.Averaged(), "beginning": x.Beginning()} {
		at := p.At
		p.N, p.At = perArmy, func(row, column int) int { return at(first+row, first+column) }
		e, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(e); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "averaged" && e.Value.Sign() != 0 {
			t.Errorf("averaged: the value is %v, and the game is the same for both", e.Value)
		}
	}
}
