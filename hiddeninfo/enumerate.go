package hiddeninfo

import "iter"

// All yields every assignment with its weight, not yet divided by anything: worth asking only if
// Count is small. No branch is a dead end, so the time grows with the number of worlds yielded. The world is
// overwritten between two of them.
func (d Distribution) All() iter.Seq2[*World, float64] {
	return func(yield func(*World, float64) bool) {
		a := d.of
		w := walk{a: a, opinion: d.opinion, world: a.world, yield: yield}
		for _, g := range a.groups {
			for _, p := range g.pieces[:g.size] {
				w.order[w.open] = int(p)
				w.weights[w.open] = g.weights
				w.open++
			}
		}
		w.left = a.left
		for c := range a.classes {
			w.sizes[c] = uint8(a.classes[c].size)
		}
		w.class(0, 0, 1)
	}
}

// walk goes through all ways to give classes to the open pieces and, in each, ranks.
type walk struct {
	a       *Assignments
	opinion int
	order   [Pieces]int // the open pieces as they choose
	weights [Pieces][]float64
	open    int
	classes [Pieces]uint8 // chosen, by order
	sizes   [maxClasses]uint8
	left    [rankCodes]uint8
	world   World
	yield   func(*World, float64) bool
}

// class lets the i-th piece choose in the state of a place; it returns false when no more is wanted. The last group, which the
// lattice does not lead, takes all that is left, in any order.
func (w *walk) class(i, place int, weight float64) bool {
	n := len(w.a.opinions)
	switch {
	case i == w.open:
		return w.rank(0, weight)
	case i < len(w.a.steps):
		for _, l := range w.a.leadsOf(place) {
			if w.a.from[int(l.to)*n+w.opinion] > 0 && !w.take(i, l, weight) {
				return false
			}
		}
	default:
		for c, size := range w.sizes {
			if size > 0 && !w.take(i, lead{class: uint8(c)}, weight) {
				return false
			}
		}
	}
	return true
}

// take lets the i-th piece be of a class.
func (w *walk) take(i int, l lead, weight float64) bool {
	w.classes[i] = l.class
	w.sizes[l.class]--
	more := w.class(i+1, int(l.to), weight*w.weights[i][int(l.class)*len(w.a.opinions)+w.opinion])
	w.sizes[l.class]++
	return more
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
