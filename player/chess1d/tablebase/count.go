package tablebase

import "math/big"

// Counts says how many ordered pairs of set-ups are won, drawn and lost for the side to move.
type Counts struct {
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

// Counts counts the pairs of set-ups by their value.
func (x *Matrix) Counts() (c Counts) {
	for mover := range setUps() {
		for other := range setUps() {
			switch x.At(mover, other) {
			case Win:
				c.Won++
			case Draw:
				c.Drawn++
			default:
				c.Lost++
			}
		}
	}
	return c
}

// Beaten counts against how many columns the rows' mix of an equilibrium earns more than the value, and
// against how many rows the columns' mix pays less.
func (p Payoff) Beaten(e *Equilibrium) (columns, rows int) {
	columns = p.beaten(e.Rows, e.Value, func(column, row int) int { return p.At(row, column) })
	rows = p.beaten(e.Columns, new(big.Rat).Neg(e.Value), func(row, column int) int { return -p.At(row, column) })
	return columns, rows
}

// beaten counts the answers to a mix with which it gets more than a value.
func (p Payoff) beaten(mix Mix, value *big.Rat, payoff func(answer, own int) int) (count int) {
	weights, denominator := mix.common()
	scale := new(big.Int).Mul(denominator, big.NewInt(int64(p.Scale)))
	sum, term := new(big.Int), new(big.Int)
	for answer := range p.N {
		sum.SetInt64(0)
		for n, c := range mix {
			sum.Add(sum, term.Mul(weights[n], big.NewInt(int64(payoff(answer, c.SetUp)))))
		}
		if new(big.Rat).SetFrac(sum, scale).Cmp(value) > 0 {
			count++
		}
	}
	return count
}
