package hiddeninfo

import "math/bits"

// arrange puts the groups into the order in which they choose, and makes the lattice of that order, unless both are known. The order
// decides the size of the tables: after some groups have chosen, of a class that none of them could take everything is
// left, of a class that none of the others can take nothing is left, and only the classes between
// cost states. Finding the best order is as hard as the count, so it is built greedily, once for
// each group in the last place, which costs nothing; that gave half the states of the largest group
// in the last place alone, and a search through the neighbours of the best order 15% fewer still.
func (a *Assignments) arrange() {
	shape := a.shape()
	known := shape == a.shaped && len(a.states) > 0
	if !known {
		a.order = a.bestOrder()
	}
	a.ordered = a.ordered[:0]
	for _, i := range a.order[:len(a.groups)] {
		a.ordered = append(a.ordered, a.groups[i])
	}
	a.groups, a.ordered = a.ordered, a.groups
	if !known {
		a.build()
		a.shaped = shape
	}
}

// shape is all that order and lattice depend on. Weights are not in it, so it mostly is the same from move to move.
type shape struct {
	groups, classes int
	sizes           [Pieces]uint8
	allowed         [Pieces]uint16
	left            [maxClasses]uint8
}

func (a *Assignments) shape() (s shape) {
	s.groups, s.classes = len(a.groups), len(a.classes)
	for i := range a.groups {
		s.sizes[i], s.allowed[i] = uint8(a.groups[i].size), a.groups[i].allowed
	}
	for c := range a.classes {
		s.left[c] = uint8(a.classes[c].size)
	}
	return s
}

func (a *Assignments) bestOrder() [Pieces]uint8 {
	var best ordering
	for last := range a.groups {
		o := a.newOrdering(last)
		for o.cost < best.cost || best.cost == 0 {
			if !o.extend(a) {
				best = o
				break
			}
		}
	}
	return best.order
}

// ordering is the groups in some order, of which the first few are settled.
type ordering struct {
	order   [Pieces]uint8
	settled int
	cost    float64 // bounds the states so far
	chosen  [maxClasses]int8
	waiting [maxClasses]int8 // by class: pieces in settled groups that can take it, and others
	widths  [maxClasses]float64
}

func (a *Assignments) newOrdering(last int) ordering {
	var o ordering
	for i := range a.groups {
		o.order[i] = uint8(i)
		for allowed := a.groups[i].allowed; allowed != 0; allowed &= allowed - 1 {
			o.waiting[bits.TrailingZeros16(allowed)] += int8(a.groups[i].size)
		}
	}
	end := len(a.groups) - 1
	o.order[last], o.order[end] = o.order[end], o.order[last]
	for c := range a.classes {
		o.widths[c] = o.width(a, c, 0)
	}
	return o
}

// extend settles the group after which there are fewest states; false if only the last is left.
func (o *ordering) extend(a *Assignments) bool {
	end := len(a.groups) - 1
	if o.settled == end {
		return false
	}
	best, fewest := 0, 0.0
	for i := o.settled; i < end; i++ {
		// All candidates have the widths of the classes that they cannot take in common.
		g := &a.groups[o.order[i]]
		states := 1.0
		for allowed := g.allowed; allowed != 0; allowed &= allowed - 1 {
			c := bits.TrailingZeros16(allowed)
			states *= o.width(a, c, int8(g.size)) / o.widths[c]
		}
		if i == o.settled || states < fewest {
			best, fewest = i, states
		}
	}
	o.order[o.settled], o.order[best] = o.order[best], o.order[o.settled]
	g := &a.groups[o.order[o.settled]]
	o.settled++
	for range g.size {
		states := 1.0
		for allowed := g.allowed; allowed != 0; allowed &= allowed - 1 {
			c := bits.TrailingZeros16(allowed)
			o.chosen[c]++
			o.waiting[c]--
			o.widths[c] = o.width(a, c, 0)
		}
		for c := range a.classes {
			states *= o.widths[c]
		}
		o.cost += states
	}
	return true
}

// width is how many numbers of a class can be left when n more pieces that can take it have chosen.
func (o *ordering) width(a *Assignments, c int, n int8) float64 {
	size := int8(a.classes[c].size)
	return float64(min(size, o.chosen[c]+n) - max(0, size-o.waiting[c]+n) + 1)
}
