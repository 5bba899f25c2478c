package hiddeninfo

import (
	"math/bits"
	"math/rand/v2"

	"luzhanqi/game/luzhanqi"
)

// Sample draws an assignment by its weight. Pieces beyond the army are left alone.
func (a *Assignments) Sample(r *rand.Rand, dst *World) {
	copy(dst[:a.pieces], a.world[:a.pieces])
	if a.open == 0 {
		return
	}
	d := undrawn{pool: a.pool}
	for c := range a.classes {
		d.left[c] = uint8(a.classes[c].size)
		d.begin[c] = uint8(a.classes[c].pool)
	}
	at := a.states[0]
	member := 0 // of the choosing group
	for i := range a.steps {
		s := &a.steps[i]
		if i > 0 && a.steps[i-1].group != s.group {
			member = 0
		}
		f := a.draw(r, at, s)
		dst[a.groups[s.group].pieces[member]] = d.draw(r, f.class)
		at = state{at.packed - f.unit(), at.index - f.stride}
		member++
	}
	last := &a.groups[len(a.groups)-1]
	n := 0
	var rest [Pieces]luzhanqi.Rank
	for c := range a.classes {
		n += copy(rest[n:], d.pool[d.begin[c]:d.begin[c]+d.left[c]])
	}
	for n > 0 {
		j := r.Uint32N(uint32(n))
		n--
		dst[last.pieces[n]], rest[j] = rest[j], rest[n]
	}
}

// draw picks the class that a piece takes, by the weight of the ways out.
func (a *Assignments) draw(r *rand.Rand, at state, s *step) *classField {
	choices := a.choices(at.packed, s)
	if choices&(choices-1) == 0 {
		return &a.fields[bits.TrailingZeros64(choices)&63]
	}
	weights := &a.groups[s.group].weights
	rest := a.from[at.index] * r.Float64()
	// Rounding may leave a rest when all is used up; then the last class that leads on is right.
	var f *classField
	for ; choices != 0; choices &= choices - 1 {
		candidate := &a.fields[bits.TrailingZeros64(choices)&63]
		out := weights[candidate.class] * a.from[at.index-candidate.stride]
		if out == 0 {
			continue
		}
		f = candidate
		if rest -= out; rest < 0 {
			break
		}
	}
	return f
}

// undrawn holds the ranks of each class that are not yet drawn.
type undrawn struct {
	pool  [Pieces]luzhanqi.Rank
	begin [maxClasses]uint8
	left  [maxClasses]uint8
}

func (d *undrawn) draw(r *rand.Rand, class uint8) luzhanqi.Rank {
	begin := d.begin[class]
	d.left[class]--
	left := d.left[class]
	at, end := begin, begin+left
	if left > 0 && d.pool[begin] != d.pool[end] || left > 1 {
		at += uint8(r.Uint32N(uint32(left) + 1))
	}
	rank := d.pool[at]
	d.pool[at] = d.pool[end]
	return rank
}
