package tablebase

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// The solver finds value and length as the graph has them, whichever side has the small letters, with
// and without a table to help it; and its move keeps both.
func TestSolverAgreesWithTheGraph(t *testing.T) {
	var s Solver
	counts := map[Value]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		board, draws := randomBoard(r, 3+int(seed)%4), seed%2 == 0
		g := newGraph(board, draws, 20_000)
		if g == nil || len(g.next[board]) == 0 {
			continue
		}
		want, plies := g.values[board], g.plies[board]
		counts[want]++
		for mover := range game.Side(2) {
			b := board.InFrame(mover)
			got, err := s.Solve(b, mover, draws, Budget{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Value != want || !got.Exact || got.Plies != plies {
				t.Errorf("%q, draws %v: %+v, want a %v in %d", board, draws, got, want, plies)
			}
			checkMove(t, g, b, mover, got)

			m, at, _ := place(b)
			s.search.exact = newTable(m, at, draws)
			if err := s.search.exact.solve(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			clear(s.search.found)
			r, _ := s.deepen(at, mover, Budget{})
			if r.Value != want || r.Plies != plies {
				t.Errorf("%q, draws %v, with a table: %+v, want a %v in %d", board, draws, r, want, plies)
			}
		}
	}
	t.Log(counts)
	if counts[Win] < 5 || counts[Loss] < 5 || counts[Draw] < 5 {
		t.Errorf("%v: too few of a kind to mean anything", counts)
	}
}

func checkMove(t *testing.T, g *graph, b chess1d.Board, mover game.Side, got Result) {
	t.Helper()
	after := b
	if err := b.Why(mover, got.Move); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	after.Play(got.Move)
	after = after.InFrame(mover.Other())
	if -g.values[after] != got.Value || got.Value != Draw && g.plies[after] != got.Plies-1 {
		t.Errorf("%q: %s leads to a %v in %d, though it is a %v in %d", b, chess1d.MoveName(got.Move),
			g.values[after], g.plies[after], got.Value, got.Plies)
	}
}

// With no time at all the solver still has a legal move, and claims nothing.
func TestSolverKeepsItsBudget(t *testing.T) {
	b, err := chess1d.ParseBoard("q a hf    HAQ F")
	if err != nil {
		t.Fatal(err)
	}
	for name, budget := range map[string]Budget{"one node": {Nodes: 1}, "no time": {Deadline: time.Now()}, "a thousand nodes": {Nodes: 1000}} {
		var s Solver
		got, err := s.Solve(b, game.First, false, budget)
		if err != nil || got.Exact || b.Why(game.First, got.Move) != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if budget.Nodes > 0 && got.Nodes > budget.Nodes {
			t.Errorf("%s: %d nodes", name, got.Nodes)
		}
		again, _ := new(Solver).Solve(b, game.First, false, budget)
		if again.Move != got.Move {
			t.Errorf("%s: two moves, %v and %v", name, got.Move, again.Move)
		}
	}
}

func TestSolverRefusesAFinishedGame(t *testing.T) {
	for _, text := range []string{"k             K", "k              ", "   f    K      ", "               "} {
		b, err := chess1d.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := new(Solver).Solve(b, game.First, true, Budget{}); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
