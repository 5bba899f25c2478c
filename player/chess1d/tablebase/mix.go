package tablebase

import (
	"cmp"
	"math/big"
	"slices"
)

func newMix(numbers []int, weights []*big.Rat) (m Mix) {
	for n, w := range weights {
		if w.Sign() > 0 {
			m = append(m, Choice{numbers[n], w})
		}
	}
	slices.SortFunc(m, func(a, b Choice) int { return cmp.Compare(a.SetUp, b.SetUp) })
	return m
}

// Refine replaces the rows' mix of an equilibrium by the single row that does best against all columns
// taken alike, and the columns' by the single column, among those that are optimal by themselves. Where
// there is none, the mix stays. Perfect play does not tell such rows apart; weak opponents do.
func (p Payoff) Refine(e *Equilibrium) {
	if row, ok := p.firmest(e.Value, p.At); ok {
		e.Rows = Mix{{row, big.NewRat(1, 1)}}
	}
	if column, ok := p.firmest(new(big.Rat).Neg(e.Value), func(column, row int) int { return -p.At(row, column) }); ok {
		e.Columns = Mix{{column, big.NewRat(1, 1)}}
	}
}

// firmest returns, among the answers that never earn less than the value, the one that earns most in all.
func (p Payoff) firmest(value *big.Rat, payoff func(answer, other int) int) (best int, ok bool) {
	lowest, _ := new(big.Rat).Mul(value, big.NewRat(int64(p.Scale), 1)).Float64()
	highest := 0
	for answer := range p.N {
		sum, firm := 0, true
		for other := 0; firm && other < p.N; other++ {
			earned := payoff(answer, other)
			sum += earned
			firm = float64(earned) >= lowest
		}
		if firm && (!ok || sum > highest) {
			best, highest, ok = answer, sum, true
		}
	}
	return best, ok
}

// common returns the weights as whole numbers over a common denominator.
func (m Mix) common() (weights []*big.Int, denominator *big.Int) {
	denominator = big.NewInt(1)
	for _, c := range m {
		gcd := new(big.Int).GCD(nil, nil, denominator, c.Weight.Denom())
		denominator.Mul(denominator, new(big.Int).Quo(c.Weight.Denom(), gcd))
	}
	for _, c := range m {
		w := new(big.Int).Quo(denominator, c.Weight.Denom())
		weights = append(weights, w.Mul(w, c.Weight.Num()))
	}
	return weights, denominator
}

// bestRow returns the row that earns most against a mix of columns, and what it earns.
func (p Payoff) bestRow(columns Mix) (row int, highest *big.Rat) {
	return p.best(columns, func(row, column int) int { return p.At(row, column) })
}

// bestColumn returns the column that pays least against a mix of rows, and what it pays.
func (p Payoff) bestColumn(rows Mix) (column int, lowest *big.Rat) {
	column, highest := p.best(rows, func(column, row int) int { return -p.At(row, column) })
	return column, highest.Neg(highest)
}

// best returns the answer with the highest payoff against a mix. Most are ruled out in floating point;
// only those that come close are worked out exactly.
func (p Payoff) best(mix Mix, payoff func(answer, other int) int) (best int, earns *big.Rat) {
	approximate := make([]float64, len(mix))
	for n, c := range mix {
		approximate[n], _ = c.Weight.Float64()
	}
	sums := make([]float64, p.N)
	top := -2 * float64(p.Scale)
	for answer := range p.N {
		for n, c := range mix {
			sums[answer] += approximate[n] * float64(payoff(answer, c.SetUp))
		}
		top = max(top, sums[answer])
	}
	const margin = 1e-9 // far above the rounding of a sum of some hundred terms
	weights, denominator := mix.common()
	var highest *big.Int
	sum, term := new(big.Int), new(big.Int)
	for answer := range p.N {
		if sums[answer] < top-margin {
			continue
		}
		sum.SetInt64(0)
		for n, c := range mix {
			sum.Add(sum, term.Mul(weights[n], big.NewInt(int64(payoff(answer, c.SetUp)))))
		}
		if highest == nil || sum.Cmp(highest) > 0 {
			best, highest = answer, new(big.Int).Set(sum)
		}
	}
	return best, new(big.Rat).SetFrac(highest, new(big.Int).Mul(denominator, big.NewInt(int64(p.Scale))))
}
