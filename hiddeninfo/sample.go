package hiddeninfo

import (
	"math/rand/v2"

	"luzhanqi/game/luzhanqi"
)

// Sample draws an assignment by its weight. Pieces beyond the army are left alone.
func (d Distribution) Sample(r *rand.Rand, dst *World) {
	a := d.of
	copy(dst[:a.pieces], a.world[:a.pieces])
	if a.open == 0 {
		return
	}
	u := undrawn{pool: a.pool}
	for c := range a.classes {
		u.left[c] = uint8(a.classes[c].size)
		u.begin[c] = uint8(a.classes[c].pool)
	}
	at := 0
	member := 0 // of the choosing group
	for i := range a.steps {
		s := &a.steps[i]
		if i > 0 && a.steps[i-1].group != s.group {
			member = 0
		}
		l := d.draw(r, at, s)
		dst[a.groups[s.group].pieces[member]] = u.draw(r, l.class)
		at = int(l.to)
		member++
	}
	last := &a.groups[len(a.groups)-1]
	n := 0
	var rest [Pieces]luzhanqi.Rank
	for c := range a.classes {
		n += copy(rest[n:], u.pool[u.begin[c]:u.begin[c]+u.left[c]])
	}
	for n > 0 {
		j := r.Uint32N(uint32(n))
		n--
		dst[last.pieces[n]], rest[j] = rest[j], rest[n]
	}
}

// draw picks the class that a piece takes, by the weight of the ways out.
func (d Distribution) draw(r *rand.Rand, at int, s *step) lead {
	a, n := d.of, len(d.of.opinions)
	leads := a.leadsOf(at)
	if len(leads) == 1 {
		return leads[0]
	}
	weights := a.groups[s.group].weights
	rest := a.from[at*n+d.opinion] * r.Float64()
	// Rounding may leave a rest when all is used up; then the last class that leads on is right.
	var drawn lead
	for _, l := range leads {
		out := weights[int(l.class)*n+d.opinion] * a.from[int(l.to)*n+d.opinion]
		if out == 0 {
			continue
		}
		drawn = l
		if rest -= out; rest < 0 {
			break
		}
	}
	return drawn
}

// undrawn holds the ranks of each class that are not yet drawn.
type undrawn struct {
	pool  [Pieces]luzhanqi.Rank
	begin [maxClasses]uint8
	left  [maxClasses]uint8
}

func (u *undrawn) draw(r *rand.Rand, class uint8) luzhanqi.Rank {
	begin := u.begin[class]
	u.left[class]--
	left := u.left[class]
	at, end := begin, begin+left
	if left > 0 && u.pool[begin] != u.pool[end] || left > 1 {
		at += uint8(r.Uint32N(uint32(left) + 1))
	}
	rank := u.pool[at]
	u.pool[at] = u.pool[end]
	return rank
}
