package tablebase

import (
	"cmp"
	"math/big"
	"slices"
)

// newMix leaves out what has no weight.
func newMix(numbers []int, weights []*big.Rat) (m Mix) {
	for n, w := range weights {
		if w != nil && w.Sign() > 0 {
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
	if row, ok := p.firmest(e.Value); ok {
		e.Rows = Mix{{row, big.NewRat(1, 1)}}
	}
	if column, ok := p.transposed().firmest(new(big.Rat).Neg(e.Value)); ok {
		e.Columns = Mix{{column, big.NewRat(1, 1)}}
	}
}

// firmest returns, among the rows that never earn less than the value, the one that earns most in all.
func (p Payoff) firmest(value *big.Rat) (best int, ok bool) {
	lowest, _ := new(big.Rat).Mul(value, big.NewRat(int64(p.Scale), 1)).Float64()
	highest := 0
	for row := range p.N {
		sum, firm := 0, true
		for column := 0; firm && column < p.N; column++ {
			earned := p.At(row, column)
			sum += earned
			firm = float64(earned) >= lowest
		}
		if firm && (!ok || sum > highest) {
			best, highest, ok = row, sum, true
		}
	}
	return best, ok
}

// Beaten counts the columns that pay more than the value of an equilibrium against its rows' mix, and the rows
// that earn less against its columns'.
func (p Payoff) Beaten(e *Equilibrium) (columns, rows int) {
	return p.transposed().beaten(e.Rows, new(big.Rat).Neg(e.Value)), p.beaten(e.Columns, e.Value)
}

// beaten counts the rows that earn less than a value against a mix of columns.
func (p Payoff) beaten(mix Mix, value *big.Rat) (count int) {
	weights, denominator := p.common(mix)
	for row := range p.N {
		if new(big.Rat).SetFrac(p.earned(row, mix, weights), denominator).Cmp(value) < 0 {
			count++
		}
	}
	return count
}

// common returns the weights of a mix as whole numbers, and what a sum of payoffs with them is to be divided by.
func (p Payoff) common(m Mix) (weights []*big.Int, denominator *big.Int) {
	denominator = big.NewInt(1)
	for _, c := range m {
		gcd := new(big.Int).GCD(nil, nil, denominator, c.Weight.Denom())
		denominator.Mul(denominator, new(big.Int).Quo(c.Weight.Denom(), gcd))
	}
	for _, c := range m {
		w := new(big.Int).Quo(denominator, c.Weight.Denom())
		weights = append(weights, w.Mul(w, c.Weight.Num()))
	}
	return weights, denominator.Mul(denominator, big.NewInt(int64(p.Scale)))
}

// earned is what a row earns against a mix of columns, by the weights of common.
func (p Payoff) earned(row int, mix Mix, weights []*big.Int) *big.Int {
	sum, term := new(big.Int), new(big.Int)
	for n, c := range mix {
		sum.Add(sum, term.Mul(weights[n], big.NewInt(int64(p.At(row, c.SetUp)))))
	}
	return sum
}

// best returns the row that earns most against a mix of columns, and what it earns. Most are ruled out in
// floating point; only those that come close are worked out exactly.
func (p Payoff) best(mix Mix) (best int, earns *big.Rat) {
	approximate := make([]float64, len(mix))
	for n, c := range mix {
		approximate[n], _ = c.Weight.Float64()
	}
	sums := make([]float64, p.N)
	for row := range sums {
		for n, c := range mix {
			sums[row] += approximate[n] * float64(p.At(row, c.SetUp))
		}
	}
	const margin = 1e-9 // far above the rounding of a sum of some hundred terms
	top := slices.Max(sums) - margin
	weights, denominator := p.common(mix)
	var highest *big.Int
	for row := range sums {
		if sums[row] < top {
			continue
		}
		if sum := p.earned(row, mix, weights); highest == nil || sum.Cmp(highest) > 0 {
			best, highest = row, sum
		}
	}
	return best, new(big.Rat).SetFrac(highest, denominator)
}
