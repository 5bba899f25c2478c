package tablebase

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
)

// Mix is a mixed strategy: set-ups by number with the probability with which each is chosen, the
// numbers ascending and the probabilities positive and exact, their sum being one.
type Mix []Choice

// Choice is a set-up of a mix.
type Choice struct {
	SetUp  int
	Weight *big.Rat
}

// MarshalJSON writes the set-up itself, not its number.
func (c Choice) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		SetUp  string   `json:"setup"`
		Weight *big.Rat `json:"weight"`
	}{NumberedSetUp(c.SetUp).String(), c.Weight})
}

// Equilibrium is the solution of a matrix game of set-ups: what the row player gets when both play
// well, and how. Payoffs are those of Value: +1 for a win, 0 for a draw, -1 for a loss.
type Equilibrium struct {
	Value         *big.Rat
	Rows, Columns Mix
}

// Payoff is a matrix game between n rows and n columns with small whole payoffs.
type Payoff struct {
	N     int
	Scale int // the payoffs are so many times those that count
	At    func(row, column int) int
}

// transposed is the same game from the other side: the columns are its rows.
func (p Payoff) transposed() Payoff {
	return Payoff{p.N, p.Scale, func(row, column int) int { return -p.At(column, row) }}
}

// Averaged is the game in which both orders are played, or in which nobody knows who will begin.
// It is the same for both sides, so its value is zero.
func (x *Matrix) Averaged() Payoff {
	return Payoff{N: len(setUps()), Scale: 2, At: func(row, column int) int {
		return int(x.At(row, column)) - int(x.At(column, row))
	}}
}

// Beginning is the game in which the row player is known to move first.
func (x *Matrix) Beginning() Payoff {
	return Payoff{N: len(setUps()), Scale: 1, At: func(row, column int) int { return int(x.At(row, column)) }}
}

// Solve finds an equilibrium by the double oracle: it solves the game between a few set-ups exactly,
// lets both sides answer with the best of all, and goes on with these among the few until neither
// gains anything. What it returns has been compared with every set-up on both sides: see Check.
func (p Payoff) Solve(ctx context.Context) (*Equilibrium, error) {
	rows, columns := []int{0}, []int{0}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := p.restricted(rows, columns)
		if err != nil {
			return nil, err
		}
		row, highest := p.best(e.Columns)
		column, lowest := p.transposed().best(e.Rows)
		lowest.Neg(lowest)
		if highest.Cmp(e.Value) <= 0 && lowest.Cmp(e.Value) >= 0 {
			return e, nil
		}
		if highest.Cmp(e.Value) > 0 {
			rows = append(rows, row)
		}
		if lowest.Cmp(e.Value) < 0 {
			columns = append(columns, column)
		}
	}
}

// Check verifies an equilibrium from the payoffs alone, by exact arithmetic: no row earns more than
// the value against the columns' mix, and no column pays less against the rows'.
func (p Payoff) Check(e *Equilibrium) error {
	for name, mix := range map[string]Mix{"rows": e.Rows, "columns": e.Columns} {
		sum := new(big.Rat)
		for _, c := range mix {
			if c.Weight.Sign() <= 0 || c.SetUp < 0 || c.SetUp >= p.N {
				return fmt.Errorf("the mix of %s has set-up %d with weight %v", name, c.SetUp, c.Weight)
			}
			sum.Add(sum, c.Weight)
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			return fmt.Errorf("the weights of the mix of %s add up to %v, not 1", name, sum)
		}
	}
	if row, highest := p.best(e.Columns); highest.Cmp(e.Value) > 0 {
		return fmt.Errorf("row %d earns %v, more than the value %v", row, highest, e.Value)
	}
	if column, lowest := p.transposed().best(e.Rows); lowest.Neg(lowest).Cmp(e.Value) < 0 {
		return fmt.Errorf("column %d pays only %v, less than the value %v", column, lowest, e.Value)
	}
	return nil
}

// restricted solves the game between some rows and some columns.
func (p Payoff) restricted(rows, columns []int) (*Equilibrium, error) {
	shift := int64(p.Scale + 1) // makes all payoffs positive
	payoff := make([][]int64, len(rows))
	for r, row := range rows {
		payoff[r] = make([]int64, len(columns))
		for c, column := range columns {
			payoff[r][c] = int64(p.At(row, column)) + shift
		}
	}
	value, rowWeights, columnWeights, err := solveExactly(payoff)
	if err != nil {
		return nil, err
	}
	value.Sub(value, big.NewRat(shift, 1))
	value.Mul(value, big.NewRat(1, int64(p.Scale)))
	return &Equilibrium{value, newMix(rows, rowWeights), newMix(columns, columnWeights)}, nil
}
