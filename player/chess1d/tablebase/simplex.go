package tablebase

import (
	"errors"
	"math/big"
)

// dictionary is a linear programme for a matrix game in the form of a simplex dictionary: maximise the
// sum of the column player's weights, such that no row earns more than 1. All numbers are whole: the
// true ones times the common denominator, as in fraction-free elimination, so nothing is ever rounded.
//
// The last row is the objective, the last column the right-hand side.
type dictionary struct {
	entries     [][]*big.Int
	denominator *big.Int
	basic       []int // of each row: the variable; columns are 0…n-1, the slacks of rows n…n+m-1
	free        []int // of each column
}

// solveExactly returns the value of a matrix game to the row player, and optimal mixes of rows and
// columns, whose weights are nil where they are zero. The payoffs must be positive.
func solveExactly(payoff [][]int64) (value *big.Rat, rows, columns []*big.Rat, err error) {
	d := newDictionary(payoff)
	for {
		column := d.entering()
		if column < 0 {
			break
		}
		row := d.leaving(column)
		if row < 0 {
			return nil, nil, nil, errors.New("matrix game: a payoff is not positive")
		}
		d.pivot(row, column)
	}
	m, n := len(payoff), len(payoff[0])
	total := d.entries[m][n] // the objective: 1/value
	rows, columns = make([]*big.Rat, m), make([]*big.Rat, n)
	for r, variable := range d.basic {
		if variable < n {
			columns[variable] = new(big.Rat).SetFrac(d.entries[r][n], total)
		}
	}
	for c, variable := range d.free {
		if variable >= n {
			rows[variable-n] = new(big.Rat).SetFrac(d.entries[m][c], total)
		}
	}
	return new(big.Rat).SetFrac(d.denominator, total), rows, columns, nil
}

func newDictionary(payoff [][]int64) *dictionary {
	m, n := len(payoff), len(payoff[0])
	d := &dictionary{denominator: big.NewInt(1), basic: make([]int, m), free: make([]int, n)}
	for r := range m + 1 {
		line := make([]*big.Int, n+1)
		for c := range line {
			switch {
			case r < m && c < n:
				line[c] = big.NewInt(payoff[r][c])
			case r < m:
				line[c] = big.NewInt(1)
			case c < n:
				line[c] = big.NewInt(-1)
			default:
				line[c] = new(big.Int)
			}
		}
		d.entries = append(d.entries, line)
	}
	for r := range d.basic {
		d.basic[r] = n + r
	}
	for c := range d.free {
		d.free[c] = c
	}
	return d
}

// entering returns the column to pivot on, by Bland's rule, which never cycles; below 0: none, so the
// dictionary is optimal.
func (d *dictionary) entering() int {
	best, objective := -1, d.entries[len(d.basic)]
	for c, variable := range d.free {
		if objective[c].Sign() < 0 && (best < 0 || variable < d.free[best]) {
			best = c
		}
	}
	return best
}

// leaving returns the row whose variable reaches zero first, by Bland's rule; below 0: none does.
func (d *dictionary) leaving(column int) int {
	best, last := -1, len(d.free)
	left, right := new(big.Int), new(big.Int)
	for r, variable := range d.basic {
		if d.entries[r][column].Sign() <= 0 {
			continue
		}
		if best >= 0 {
			left.Mul(d.entries[r][last], d.entries[best][column])
			right.Mul(d.entries[best][last], d.entries[r][column])
			if order := left.Cmp(right); order > 0 || order == 0 && variable > d.basic[best] {
				continue
			}
		}
		best = r
	}
	return best
}

// pivot exchanges a basic and a free variable.
func (d *dictionary) pivot(row, column int) {
	pivot := d.entries[row][column]
	product := new(big.Int)
	for r, line := range d.entries {
		if r == row {
			continue
		}
		factor := line[column]
		for c := range line {
			if c == column {
				continue
			}
			line[c].Mul(line[c], pivot)
			line[c].Sub(line[c], product.Mul(factor, d.entries[row][c]))
			line[c].Quo(line[c], d.denominator)
		}
		line[column] = factor.Neg(factor)
	}
	d.entries[row][column], d.denominator = d.denominator, pivot
	d.basic[row], d.free[column] = d.free[column], d.basic[row]
}
