package tablebase

import (
	"math/big"
	"testing"
)

// Rock, scissors and paper, with a fourth row and column that lose to all three: the even mix beats the
// fourth and nothing else, and one of them alone beats two.
func TestBeaten(t *testing.T) {
	payoff := [4][4]int{{0, 1, -1, 1}, {-1, 0, 1, 1}, {1, -1, 0, 1}, {-1, -1, -1, 0}}
	p := Payoff{N: 4, Scale: 1, At: func(row, column int) int { return payoff[row][column] }}
	third := big.NewRat(1, 3)
	even := Mix{{0, third}, {1, third}, {2, third}}
	for _, c := range []struct {
		e             Equilibrium
		columns, rows int
	}{
		{Equilibrium{new(big.Rat), even, even}, 1, 1},
		{Equilibrium{new(big.Rat), Mix{{0, big.NewRat(1, 1)}}, even}, 2, 1},
		{Equilibrium{big.NewRat(1, 1), even, Mix{{3, big.NewRat(1, 1)}}}, 0, 1},
		{Equilibrium{big.NewRat(-1, 1), even, Mix{{3, big.NewRat(1, 1)}}}, 4, 0},
	} {
		if columns, rows := p.Beaten(&c.e); columns != c.columns || rows != c.rows {
			t.Errorf("%+v: %d and %d, want %d and %d", c.e, columns, rows, c.columns, c.rows)
		}
	}
}

// Every pair of set-ups is counted once, as the side to move sees it.
func TestCounts(t *testing.T) {
	x := &Matrix{}
	all := new(block)
	for side := range all {
		for n := range all[side] {
			all[side][n] = valueBytes[side*2] // the first army loses when it moves, the second wins
		}
	}
	for _, m := range allMatchups() {
		x.blocks[m[0]][m[1]] = all
	}
	const pairs = armies * armies * perArmy * perArmy
	want := Counts{Won: armies * (armies - 1) / 2 * perArmy * perArmy}
	want.Lost = pairs - want.Won // an army against itself is looked up as the first
	if got := x.Counts(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
