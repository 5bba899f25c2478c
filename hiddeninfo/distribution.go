package hiddeninfo

import "math"

// Distribution is the assignments as one opinion weighs them: a weight is the product of its pieces' factors.
type Distribution struct {
	of      *Assignments
	opinion int
}

// By returns the distribution of an opinion, numbered as Solve is given them: always that of the latest Solve, so it may be asked
// for before that.
func (a *Assignments) By(opinion int) Distribution { return Distribution{a, opinion} }

// Marginals returns how likely each piece has each rank. Pieces beyond the army have zeros.
func (d Distribution) Marginals() *Marginals {
	a := d.of
	m := a.opinions[d.opinion].result
	for p := range m {
		if a.open>>p&1 == 0 {
			m[p] = [rankCodes]float64{}
			if p < a.pieces {
				m[p][a.world[p]] = 1
			}
		}
	}
	return &m
}

// LogWeight returns the natural logarithm of the sum of the weights of all assignments. Without weights it is the
// logarithm of Count.
func (d Distribution) LogWeight() float64 {
	return d.of.opinions[d.opinion].scaled + math.Log(d.Count())
}

// Count returns how many assignments there are, which is right only for an opinion without weights.
// Pieces of one rank are the same, so this is the number of distinct arrangements.
func (d Distribution) Count() float64 {
	a := d.of
	count := a.from[d.opinion]
	for _, c := range a.classes {
		n := 0
		for ranks := c.ranks; ranks != 0; ranks &= ranks - 1 {
			for k := range int(a.left[ranks.first()]) {
				n++
				count = count * float64(n) / float64(k+1)
			}
		}
	}
	return count
}
