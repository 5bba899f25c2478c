package tablebase

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"
)

func game2(rows ...[]int) Payoff {
	return Payoff{N: len(rows), Scale: 1, At: func(r, c int) int { return rows[r][c] }}
}

func TestSolveKnownGames(t *testing.T) {
	for _, c := range []struct {
		name  string
		game  Payoff
		value *big.Rat
		rows  map[int]string
	}{
		{"rock, paper, scissors", game2([]int{0, -1, 1}, []int{1, 0, -1}, []int{-1, 1, 0}), new(big.Rat), map[int]string{0: "1/3", 1: "1/3", 2: "1/3"}},
		{"one set-up beats all", game2([]int{0, 1, 1}, []int{-1, 0, 1}, []int{-1, -1, 0}), new(big.Rat), map[int]string{0: "1"}},
		{"matching pennies with a draw", game2([]int{1, -1}, []int{-1, 0}), big.NewRat(-1, 3), map[int]string{0: "1/3", 1: "2/3"}},
		{"the mover always wins", game2([]int{1, 1}, []int{1, 1}), big.NewRat(1, 1), nil},
	} {
		e, err := c.game.Solve(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := c.game.Check(e); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if e.Value.Cmp(c.value) != 0 {
			t.Errorf("%s: value %v, want %v", c.name, e.Value, c.value)
		}
		if c.rows == nil {
			continue
		}
		got := map[int]string{}
		for _, choice := range e.Rows {
			got[choice.SetUp] = choice.Weight.RatString()
		}
		if len(got) != len(c.rows) {
			t.Errorf("%s: rows %v, want %v", c.name, got, c.rows)
		}
		for n, want := range c.rows {
			if got[n] != want {
				t.Errorf("%s: rows %v, want %v", c.name, got, c.rows)
			}
		}
	}
}

// Random games with ties everywhere, as ours has: Solve's answer passes Check, and Check refuses it as
// soon as anything is moved.
func TestCheckRefuses(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 0))
		rows := make([][]int, 40)
		for n := range rows {
			rows[n] = make([]int, len(rows))
			for c := range rows[n] {
				rows[n][c] = r.IntN(3) - 1
			}
		}
		p := game2(rows...)
		e, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(e); err != nil {
			t.Fatal(err)
		}
		tiny := big.NewRat(1, 1_000_000_000_000)
		for name, change := range map[string]func(*Equilibrium){
			"a lower value":  func(e *Equilibrium) { e.Value.Sub(e.Value, tiny) },
			"a higher value": func(e *Equilibrium) { e.Value.Add(e.Value, tiny) },
			"more weight":    func(e *Equilibrium) { e.Rows[0].Weight.Add(e.Rows[0].Weight, tiny) },
			"no rows":        func(e *Equilibrium) { e.Rows = nil },
			"one column":     func(e *Equilibrium) { e.Columns = Mix{{0, big.NewRat(1, 1)}} },
		} {
			worse := &Equilibrium{new(big.Rat).Set(e.Value), nil, nil}
			for _, c := range e.Rows {
				worse.Rows = append(worse.Rows, Choice{c.SetUp, new(big.Rat).Set(c.Weight)})
			}
			worse.Columns = append(worse.Columns, e.Columns...)
			change(worse)
			if p.Check(worse) == nil {
				t.Errorf("seed %d: %s passes", seed, name)
			}
		}
	}
}

// Of the rows that are optimal by themselves the one is taken that earns most in all; a game without any
// keeps its mix; and what is refined is an equilibrium still.
func TestRefine(t *testing.T) {
	for _, c := range []struct {
		name string
		game Payoff
		row  int // below 0: none by itself
	}{
		{"two optimal rows", game2([]int{0, 0, 0}, []int{0, 0, 1}, []int{0, -1, 0}), 1},
		{"rock, paper, scissors", game2([]int{0, -1, 1}, []int{1, 0, -1}, []int{-1, 1, 0}), -1},
	} {
		e, err := c.game.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c.game.Refine(e)
		if err := c.game.Check(e); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.row >= 0 && (len(e.Rows) != 1 || e.Rows[0].SetUp != c.row) || c.row < 0 && len(e.Rows) != 3 {
			t.Errorf("%s: rows %v", c.name, e.Rows)
		}
	}
}
