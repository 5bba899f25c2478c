package hiddeninfo

import (
	"iter"
	"math/bits"
)

// All yields every assignment with its weight, not yet divided by anything: worth asking only if
// Count is small. No branch is a dead end, so the time grows with the number of worlds yielded. The world is
// overwritten between two of them.
func (a *Assignments) All() iter.Seq2[*World, float64] {
	return func(yield func(*World, float64) bool) {
		w := walk{a: a, world: a.world, yield: yield}
		for _, g := range a.groups {
			for _, p := range g.pieces[:g.size] {
				w.order[w.open] = int(p)
				w.weights[w.open] = &g.weights
				w.open++
			}
		}
		w.left = a.left
		w.class(0, a.states[0], 1)
	}
}

// walk goes through all ways to give classes to the open pieces and, in each, ranks.
type walk struct {
	a       *Assignments
	order   [Pieces]int // the open pieces as they choose
	weights [Pieces]*[maxClasses]float64
	open    int
	classes [Pieces]uint8 // chosen, by order
	left    [rankCodes]uint8
	world   World
	yield   func(*World, float64) bool
}

// class lets the i-th piece choose; it returns false when no more is wanted.
func (w *walk) class(i int, at state, weight float64) bool {
	if i == w.open {
		return w.rank(0, weight)
	}
	a := w.a
	choices := (at.packed + a.ones) & a.guards() // the last group takes all that is left, in any order
	if i < len(a.steps) {
		choices = a.choices(at.packed, &a.steps[i])
	}
	for ; choices != 0; choices &= choices - 1 {
		f := &a.fields[bits.TrailingZeros64(choices)]
		next := state{at.packed - f.unit(), at.index - f.stride}
		if i < len(a.steps) && a.from[next.index] == 0 {
			continue
		}
		w.classes[i] = f.class
		if !w.class(i+1, next, weight*w.weights[i][f.class]) {
			return false
		}
	}
	return true
}

// rank lets the i-th piece choose among the ranks of its class.
func (w *walk) rank(i int, weight float64) bool {
	if i == w.open {
		return w.yield(&w.world, weight)
	}
	for ranks := w.a.classes[w.classes[i]].ranks; ranks != 0; ranks &= ranks - 1 {
		rank := ranks.first()
		if w.left[rank] == 0 {
			continue
		}
		w.world[w.order[i]] = rank
		w.left[rank]--
		more := w.rank(i+1, weight)
		w.left[rank]++
		if !more {
			return false
		}
	}
	return true
}
