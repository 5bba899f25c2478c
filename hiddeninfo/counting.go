package hiddeninfo

import (
	"math"
	"math/bits"
)

// counting holds the tables of the dynamic programming of Assignments: layers of states, one layer before every
// choice, and for each state the weight of the ways into it and out of it.
type counting struct {
	steps  []step
	states []state         // by layer
	layers [Pieces + 2]int // where each begins
	fields [64]classField  // by guard bit
	ones   uint64          // every field's greatest number
	into   []float64       // by index; zero for every index that is not in states
	from   []float64       // by index; meaningless for every index that is not in states
	result Marginals       // of the open pieces
	terms  [maxClasses][Pieces + 1]float64
}

// state is how many pieces of each class are left, in two forms: packed has a field for each class
// and a zero guard bit above it, so that one addition asks all classes a question; index is a
// number in a mixed radix, dense enough to address arrays.
type state struct {
	packed uint64
	index  uint32
}

// classField is a class as the packed form has it.
type classField struct {
	stride uint32 // a one in the index
	shift  uint8  // where the field begins
	class  uint8
}

// unit is a one in the field.
func (f *classField) unit() uint64 { return 1 << (f.shift & 63) }

// step is the choice of one piece.
type step struct {
	group   int
	allowed uint64 // guard bits of the classes that it may take
	// capacity is how many of each class this piece and those after it can take, at most as many as
	// there are; in tight are the guard bits of the classes where it may be just enough.
	capacity uint64
	tight    uint64
	counted  bool // its marginals are those of its group
}

// run fills the tables; it says whether there is any way.
func (a *Assignments) run() bool {
	for _, s := range a.states {
		a.into[s.index] = 0
	}
	start := a.pack()
	a.plan()
	a.states = append(a.states[:0], start)
	a.layers[0], a.layers[1] = 0, 1
	a.into[start.index] = 1
	for i := range a.steps {
		a.forward(i)
	}
	a.chooseCounted()
	a.finish()
	for i := len(a.steps) - 1; i >= 0; i-- {
		a.backward(i)
	}
	return a.from[start.index] > 0
}

// pack lays out the fields and returns the state in which everything is left.
func (a *Assignments) pack() state {
	var start state
	a.ones = 0
	shift, stride := 0, 1
	for i := range a.classes {
		size := a.classes[i].size
		width := bits.Len(uint(size))
		a.fields[shift+width] = classField{stride: uint32(stride), shift: uint8(shift), class: uint8(i)}
		a.ones |= (1<<width - 1) << shift
		start.packed |= uint64(size) << shift
		start.index += uint32(size * stride)
		shift += width + 1
		stride *= size + 1
	}
	if len(a.into) < stride {
		a.into = make([]float64, stride)
		a.from = make([]float64, stride)
	}
	return start
}

// plan makes the steps of all groups but the last.
func (a *Assignments) plan() {
	a.steps = a.steps[:0]
	var waiting [maxClasses]int // pieces that can take a class and have not chosen
	for i := range a.groups {
		for allowed := a.groups[i].allowed; allowed != 0; allowed &= allowed - 1 {
			waiting[bits.TrailingZeros16(allowed)] += a.groups[i].size
		}
	}
	for i := 0; i+1 < len(a.groups); i++ {
		g := &a.groups[i]
		for range g.size {
			s := step{group: i}
			for guards := a.guards(); guards != 0; guards &= guards - 1 {
				guard := guards & -guards
				f := &a.fields[bits.TrailingZeros64(guards)]
				size := a.classes[f.class].size
				s.capacity |= f.unit() * uint64(min(waiting[f.class], size))
				if g.allowed>>f.class&1 != 0 {
					s.allowed |= guard
					if waiting[f.class] <= size {
						s.tight |= guard
					}
					waiting[f.class]--
				}
			}
			a.steps = append(a.steps, s)
		}
	}
}

// guards are the guard bits of all classes: each is above its field, and the ones fill the fields.
func (a *Assignments) guards() uint64 { return (a.ones << 1) &^ a.ones }

// choices are the guard bits of the classes that a piece can take in a state. A class that all
// later pieces together could not use up must be taken now; if there are two, the state is dead.
func (a *Assignments) choices(packed uint64, s *step) uint64 {
	// A field plus its greatest number carries into the guard bit unless it is zero.
	if must := ^(s.capacity - packed + a.ones) & s.tight; must != 0 {
		if must&(must-1) != 0 {
			return 0
		}
		return must
	}
	return (packed + a.ones) & s.allowed
}

// forward makes the layer after step i.
func (a *Assignments) forward(i int) {
	s := &a.steps[i]
	weights := &a.groups[s.group].weights
	states, into := a.states, a.into
	for n := a.layers[i]; n < a.layers[i+1]; n++ {
		at := states[n]
		weight := into[at.index]
		for choices := a.choices(at.packed, s); choices != 0; choices &= choices - 1 {
			f := &a.fields[bits.TrailingZeros64(choices)&63]
			to := at.index - f.stride
			if into[to] == 0 {
				states = append(states, state{at.packed - f.unit(), to})
			}
			into[to] += weight * weights[f.class]
		}
	}
	a.states = states
	a.layers[i+2] = len(states)
}

// chooseCounted picks for each group the step with the fewest states to take its marginals from.
func (a *Assignments) chooseCounted() {
	for i := 0; i < len(a.steps); {
		best := i
		next := i
		for ; next < len(a.steps) && a.steps[next].group == a.steps[i].group; next++ {
			if a.layers[next+1]-a.layers[next] < a.layers[best+1]-a.layers[best] {
				best = next
			}
		}
		a.steps[best].counted = true
		i = next
	}
}

// finish gives the last group the ranks that are left, in every order.
func (a *Assignments) finish() {
	end := len(a.steps)
	if len(a.groups) == 0 {
		a.from[a.states[0].index] = 1
		return
	}
	last := &a.groups[len(a.groups)-1]
	ways := 1.0
	for n := 2; n <= last.size; n++ {
		ways *= float64(n)
	}
	for c := range a.classes {
		a.terms[c][0] = 1
		for n := 1; n <= a.classes[c].size; n++ {
			a.terms[c][n] = a.terms[c][n-1] * last.weights[c] / float64(n)
		}
	}
	var sums [maxClasses]float64
	guards := a.guards()
	for _, at := range a.states[a.layers[end]:a.layers[end+1]] {
		product := ways
		some := (at.packed + a.ones) & guards
		for left := some; left != 0; left &= left - 1 {
			c, n := a.read(at.packed, left)
			product *= a.terms[c][n]
		}
		a.from[at.index] = product
		product *= a.into[at.index]
		for left := some; left != 0; left &= left - 1 {
			c, n := a.read(at.packed, left)
			sums[c] += product * float64(n)
		}
	}
	a.setMarginals(last, &sums)
}

// read reads the field whose guard bit is the lowest of those given.
func (a *Assignments) read(packed, guards uint64) (class uint8, n uint64) {
	f := &a.fields[bits.TrailingZeros64(guards)&63]
	return f.class, packed & (guards&-guards - 1) >> (f.shift & 63)
}

// backward weighs the ways out of the states before step i, and takes its group's marginals.
func (a *Assignments) backward(i int) {
	s := &a.steps[i]
	g := &a.groups[s.group]
	from := a.from
	var sums [maxClasses]float64
	for _, at := range a.states[a.layers[i]:a.layers[i+1]] {
		sum := 0.0
		weight := 0.0
		if s.counted {
			weight = a.into[at.index]
		}
		for choices := a.choices(at.packed, s); choices != 0; choices &= choices - 1 {
			f := &a.fields[bits.TrailingZeros64(choices)&63]
			out := g.weights[f.class] * from[at.index-f.stride]
			sum += out
			sums[f.class] += weight * out
		}
		from[at.index] = sum
	}
	if s.counted {
		a.setMarginals(g, &sums)
	}
}

// setMarginals turns the weights of a group's classes into its pieces' marginals.
func (a *Assignments) setMarginals(g *pieceGroup, sums *[maxClasses]float64) {
	total := 0.0
	for c := range a.classes {
		total += sums[c]
	}
	if total == 0 { // nothing is possible, and Solve will say so
		return
	}
	var row [rankCodes]float64
	for c := range a.classes {
		class := &a.classes[c]
		each := sums[c] / total / float64(class.size)
		for ranks := class.ranks; ranks != 0; ranks &= ranks - 1 {
			row[ranks.first()] = each * float64(a.left[ranks.first()])
		}
	}
	for _, p := range g.pieces[:g.size] {
		a.result[p] = row
	}
}

// Marginals returns how likely each piece has each rank. Pieces beyond the army have zeros.
func (a *Assignments) Marginals() *Marginals {
	m := a.result
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

// LogWeight returns the natural logarithm of the sum of the weights of all assignments; a weight is the product of
// its pieces' factors. Without weights it is the logarithm of Count.
func (a *Assignments) LogWeight() float64 { return a.scaled + math.Log(a.Count()) }

// Count returns how many assignments there are, which is right only if Solve had no weights.
// Pieces of one rank are the same, so this is the number of distinct arrangements.
func (a *Assignments) Count() float64 {
	count := a.from[a.states[0].index]
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
