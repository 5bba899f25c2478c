package hiddeninfo

import "slices"

// counting holds the tables of the dynamic programming of Assignments: for each state of the lattice the weight of the ways
// into it and out of it, by opinion.
type counting struct {
	into  []float64 // by place in states and opinion
	from  []float64 // the same
	sums  []float64 // by class and opinion
	terms [maxClasses][Pieces + 1]float64
}

// count fills the tables; it says whether there is any way.
func (a *Assignments) count() bool {
	n := len(a.opinions)
	size := (len(a.states) - 1) * n
	a.into = slices.Grow(a.into[:0], size)[:size]
	a.from = slices.Grow(a.from[:0], size)[:size]
	clear(a.into)
	for k := range n {
		a.into[k] = 1
	}
	for i := range a.steps {
		a.forward(i)
	}
	a.finish()
	for i := len(a.steps) - 1; i >= 0; i-- {
		a.backward(i)
	}
	return a.from[0] > 0 // or for none: no opinion excludes anything
}

// forward weighs the ways into the states after step i.
func (a *Assignments) forward(i int) {
	n, into := len(a.opinions), a.into
	weights := a.groups[a.steps[i].group].weights
	for place := a.layers[i]; place < a.layers[i+1]; place++ {
		if n == 1 { // which is common, and cheaper without slices
			for _, l := range a.leadsOf(place) {
				into[l.to] += into[place] * weights[l.class]
			}
			continue
		}
		ways := into[place*n:][:n]
		for _, l := range a.leadsOf(place) {
			addProducts(into[int(l.to)*n:][:n], ways, weights[int(l.class)*n:][:n])
		}
	}
}

// addProducts adds to each sum the product of its factors.
func addProducts(sums, v, w []float64) {
	v, w = v[:len(sums)], w[:len(sums)]
	for k := range sums {
		sums[k] += v[k] * w[k]
	}
}

// finish gives the last group the ranks that are left, in every order.
func (a *Assignments) finish() {
	n := len(a.opinions)
	if len(a.groups) == 0 {
		for k := range n {
			a.from[k] = 1
		}
		return
	}
	last := &a.groups[len(a.groups)-1]
	ways := 1.0
	for size := 2; size <= last.size; size++ {
		ways *= float64(size)
	}
	guards := a.guards()
	end := len(a.steps)
	sums := a.noSums()
	for k := range n {
		for c := range a.classes {
			a.terms[c][0] = 1
			for left := 1; left <= a.classes[c].size; left++ {
				a.terms[c][left] = a.terms[c][left-1] * last.weights[c*n+k] / float64(left)
			}
		}
		for place := a.layers[end]; place < a.layers[end+1]; place++ {
			packed := a.states[place].packed
			product := ways
			some := (packed + a.ones) & guards
			for left := some; left != 0; left &= left - 1 {
				c, number := a.read(packed, left)
				product *= a.terms[c][number]
			}
			a.from[place*n+k] = product
			product *= a.into[place*n+k]
			for left := some; left != 0; left &= left - 1 {
				c, number := a.read(packed, left)
				sums[int(c)*n+k] += product * float64(number)
			}
		}
	}
	a.setMarginals(last)
}

// noSums returns sums, all zero.
func (a *Assignments) noSums() []float64 {
	size := len(a.classes) * len(a.opinions)
	a.sums = slices.Grow(a.sums[:0], size)[:size]
	clear(a.sums)
	return a.sums
}

// backward weighs the ways out of the states before step i, and takes its group's marginals.
func (a *Assignments) backward(i int) {
	s := &a.steps[i]
	n, table := len(a.opinions), a.from
	weights := a.groups[s.group].weights
	sums := a.noSums()
	for place := a.layers[i]; place < a.layers[i+1]; place++ {
		if n == 1 {
			sum := 0.0
			for _, l := range a.leadsOf(place) {
				out := weights[l.class] * table[l.to]
				sum += out
				sums[l.class] += a.into[place] * out
			}
			table[place] = sum
			continue
		}
		from, into := table[place*n:][:n], a.into[place*n:][:n]
		clear(from)
		for _, l := range a.leadsOf(place) {
			next, first := table[int(l.to)*n:][:n], int(l.class)*n
			if s.counted {
				addWays(sums[first:][:n], from, into, next, weights[first:][:n])
			} else {
				addProducts(from, next, weights[first:][:n])
			}
		}
	}
	if s.counted {
		a.setMarginals(&a.groups[s.group])
	}
}

// addWays does what addProducts does, and adds to the sums the weight of all ways that go through here.
func addWays(sums, from, into, next, weights []float64) {
	sums, into, next, weights = sums[:len(from)], into[:len(from)], next[:len(from)], weights[:len(from)]
	for k := range from {
		out := weights[k] * next[k]
		from[k] += out
		sums[k] += into[k] * out
	}
}

// setMarginals turns the sums, the weights of a group's classes, into its pieces' marginals.
func (a *Assignments) setMarginals(g *pieceGroup) {
	n := len(a.opinions)
	for k := range a.opinions {
		total := 0.0
		for c := range a.classes {
			total += a.sums[c*n+k]
		}
		if total == 0 { // nothing is possible, by no opinion, and Solve will say so
			return
		}
		var row [rankCodes]float64
		for c := range a.classes {
			class := &a.classes[c]
			each := a.sums[c*n+k] / total / float64(class.size)
			for ranks := class.ranks; ranks != 0; ranks &= ranks - 1 {
				row[ranks.first()] = each * float64(a.left[ranks.first()])
			}
		}
		for _, p := range g.pieces[:g.size] {
			a.opinions[k].result[p] = row
		}
	}
}
