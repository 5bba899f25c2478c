package hiddeninfo

import "math/bits"

// lattice is what there is to choose: layers of states, one layer before every choice, and where each choice leads. It
// knows nothing of weights, so it serves all opinions, and whoever is counted next while the shape is the same.
type lattice struct {
	steps  []step
	states []state         // by layer, and one more, where the leads end
	layers [Pieces + 2]int // where each begins
	leads  []lead          // by state
	fields [64]classField  // by guard bit
	ones   uint64          // every field's greatest number
	places []uint32        // by index: one more than where it is in states; zero for every index that is not
}

// state is how many pieces of each class are left, in two forms: packed has a field for each class
// and a zero guard bit above it, so that one addition asks all classes a question; index is a
// number in a mixed radix, dense enough to address places.
type state struct {
	packed uint64
	index  uint32
	leads  uint32 // where its own begin
}

// lead is a choice in a state: of which class a piece is, and where in states that leads.
type lead struct {
	to    uint32
	class uint8
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

// build makes the lattice of the groups as they are ordered.
func (a *Assignments) build() {
	for i := range a.states {
		a.places[a.states[i].index] = 0
	}
	a.states, a.leads = a.states[:0], a.leads[:0]
	start := a.pack()
	a.plan()
	a.reach(start)
	a.layers[0], a.layers[1] = 0, 1
	for i := range a.steps {
		a.choose(i)
	}
	a.states = append(a.states, state{})
	for end := a.layers[len(a.steps)]; end < len(a.states); end++ {
		a.states[end].leads = uint32(len(a.leads))
	}
	a.chooseCounted()
}

// reach appends a state and returns its place.
func (a *Assignments) reach(s state) uint32 {
	place := uint32(len(a.states))
	a.states = append(a.states, s)
	a.places[s.index] = place + 1
	return place
}

// choose makes the layer after step i.
func (a *Assignments) choose(i int) {
	s := &a.steps[i]
	for place := a.layers[i]; place < a.layers[i+1]; place++ {
		a.states[place].leads = uint32(len(a.leads))
		at := a.states[place]
		for choices := a.choices(at.packed, s); choices != 0; choices &= choices - 1 {
			f := &a.fields[bits.TrailingZeros64(choices)&63]
			next := state{packed: at.packed - f.unit(), index: at.index - f.stride}
			to := a.places[next.index] - 1
			if to == ^uint32(0) {
				to = a.reach(next)
			}
			a.leads = append(a.leads, lead{to, f.class})
		}
	}
	a.layers[i+2] = len(a.states)
}

// leadsOf returns the choices in the state of a place.
func (a *Assignments) leadsOf(place int) []lead {
	return a.leads[a.states[place].leads:a.states[place+1].leads]
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
	if len(a.places) < stride {
		a.places = make([]uint32, stride)
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

// read reads the field whose guard bit is the lowest of those given.
func (a *Assignments) read(packed, guards uint64) (class uint8, n uint64) {
	f := &a.fields[bits.TrailingZeros64(guards)&63]
	return f.class, packed & (guards&-guards - 1) >> (f.shift & 63)
}
