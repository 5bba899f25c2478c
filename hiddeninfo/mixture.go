package hiddeninfo

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Component is one way to make an army: an opinion about where each rank is set up, and, where that is not
// enough, the ranks that a piece must be of. With a flag that must be on D1 and landmines that must be on C1, E1
// and D2 pieces depend on each other as no opinion about single squares can have it.
type Component struct {
	// Style is whose way it is: components of one style share the weight and the likelihoods of SetStyles.
	Style int
	// Share is how often an army is made so, before anything is seen; only ratios matter.
	Share float64
	// Masks are the ranks that it leaves the pieces; those of the zero value leave what the rules do.
	Masks [Pieces]Mask
	// Prior is the weights of the set-ups; nil is uniform.
	Prior *Weights
}

// Mixture is a prior for armies of which one does not know who made them: some component did, and which one
// is learned from the game, exactly by the rule of Bayes. It is made once and serves any number of beliefs.
type Mixture struct {
	components []mixed
	styles     int
}

// mixed is a component with what depends on nothing that is observed.
type mixed struct {
	Component
	log float64 // of its share, divided by the sum of the weights of all its set-ups
}

// NewMixture refuses what is no prior: shares that are none, components that no army fits, and mixtures that call
// impossible what the rules allow.
func NewMixture(components []Component) (*Mixture, error) {
	m := &Mixture{}
	broad := false
	a := NewAssignments()
	for i, c := range components {
		if !(c.Share > 0) || math.IsInf(c.Share, 1) || c.Style < 0 {
			return nil, fmt.Errorf("component %d of style %d has the share %v: must be a style from 0 and a share above zero", i, c.Style, c.Share)
		}
		narrow := false
		for p := range c.Masks {
			rules := Piece(p).setUpMask()
			if c.Masks[p] == 0 {
				c.Masks[p] = rules
			}
			c.Masks[p] &= rules
			narrow = narrow || c.Masks[p] != rules
		}
		if !a.Solve(&c.Masks, c.Prior) {
			return nil, fmt.Errorf("component %d: no army fits its masks", i)
		}
		if !narrow { // then it never is what excludes a rank, not even when what was observed cannot be
			broad = true
			c.Masks = anything()
		}
		m.components = append(m.components, mixed{c, math.Log(c.Share) - a.By(0).LogWeight()})
		m.styles = max(m.styles, c.Style+1)
	}
	if !broad {
		return nil, errors.New("every component excludes what the rules of set-ups allow: one must not")
	}
	return m, nil
}

// plain is the mixture of a single component, which is no more than a prior.
func plain(w *Weights) *Mixture {
	return &Mixture{components: []mixed{{Component: Component{Share: 1, Prior: w, Masks: anything()}}}, styles: 1}
}

func anything() (masks [Pieces]Mask) {
	for p := range masks {
		masks[p] = AnyRank
	}
	return masks
}

// Style is what is known of one style besides where its pieces are set up.
type Style struct {
	// Weight is how likely what has been observed is for the style, or how likely the style is, as far as
	// that does not follow from the masks and likelihoods here; only ratios matter.
	Weight float64
	// Likelihoods are P(what it did | rank) for a piece of this style, as SetLikelihoods takes them, by which
	// they are multiplied; nil is uniform.
	Likelihoods *Weights
}

// part is a component as a belief has it.
type part struct {
	armies    Distribution
	possible  bool
	marginals *Marginals
	p         float64 // how likely it is
	log       float64 // of its weight, up to a term that is the same for all
}

// table counts for all components that leave the pieces the same ranks, in one pass.
type table struct {
	masks       [Pieces]Mask
	opinions    []*Weights
	assignments *Assignments
}

// solveParts solves all components that are possible and mixes them by their weights. One is always possible. The part
// behind those of the components has no opinion.
func (b *Belief) solveParts(observed *[Pieces]Mask) {
	components := len(b.mixture.components)
	if len(b.parts) != components+1 {
		b.parts = make([]part, components+1)
	}
	used := 0 // tables
	for i := range b.parts[:components] {
		t, c := &b.parts[i], &b.mixture.components[i]
		masks, possible := c.leaves(observed)
		if t.possible = possible; !possible {
			continue
		}
		weights := c.Prior.times(b.likelihoods.times(b.style(c.Style).Likelihoods))
		if weights == nil && masks == *observed {
			t.armies = b.counter.By(0)
			continue
		}
		same := b.tableOf(&masks, &used)
		t.armies = same.assignments.By(len(same.opinions))
		same.opinions = append(same.opinions, weights)
	}
	b.dropTables(used)
	for i := range b.tables {
		same := &b.tables[i]
		same.assignments.Solve(&same.masks, same.opinions...)
		clear(same.opinions)
	}
	greatest := math.Inf(-1)
	for i := range b.parts[:components] {
		t, c := &b.parts[i], &b.mixture.components[i]
		t.p = 0
		if t.possible = t.possible && t.armies.of.possible; t.possible {
			t.log = c.log + t.armies.LogWeight() + math.Log(max(sane(b.style(c.Style).Weight), math.SmallestNonzeroFloat64))
			t.marginals = t.armies.Marginals()
			greatest = max(greatest, t.log)
		}
	}
	b.parts[components] = part{armies: b.counter.By(0), possible: b.doubt > 0}
	if b.doubt > 0 {
		b.parts[components].marginals = b.counter.By(0).Marginals()
	}
	b.mix(greatest)
}

// tableOf returns the table for some masks, one of those in use or one more.
func (b *Belief) tableOf(masks *[Pieces]Mask, used *int) *table {
	for i := range b.tables[:*used] {
		if b.tables[i].masks == *masks {
			return &b.tables[i]
		}
	}
	if *used == len(b.tables) {
		b.tables = append(b.tables, table{assignments: NewAssignments()})
	}
	next := &b.tables[*used]
	*used++
	next.masks, next.opinions = *masks, next.opinions[:0]
	return next
}

// dropTables gives back those that are not in use.
func (b *Belief) dropTables(used int) {
	for i := range b.tables[used:] {
		spare.Put(b.tables[used+i].assignments)
	}
	b.tables = slices.Delete(b.tables, used, len(b.tables))
}

// leaves returns the ranks that the component leaves the pieces of those that were observed; false if a piece has none.
func (c *mixed) leaves(observed *[Pieces]Mask) (masks [Pieces]Mask, possible bool) {
	for p := range masks {
		if masks[p] = observed[p] & c.Masks[p]; masks[p] == 0 {
			return masks, false
		}
	}
	return masks, true
}

// style is what SetStyles has said of a style.
func (b *Belief) style(n int) Style {
	if n < len(b.styles) {
		return b.styles[n]
	}
	return Style{Weight: 1}
}

// mix divides the weights by their sum, which leaves room for doubt, and takes the mean of the marginals.
func (b *Belief) mix(greatest float64) {
	last := len(b.parts) - 1 // the part without opinions
	total, only, n := 0.0, 0, 0
	for i := range b.parts[:last] {
		if t := &b.parts[i]; t.possible {
			t.p = math.Exp(t.log - greatest)
			total += t.p
			only = i
			n++
		}
	}
	b.support = [Pieces]Mask{}
	if n == 1 && b.doubt == 0 {
		b.parts[only].p = 1
		b.marginals = b.parts[only].marginals
		b.support = b.marginals.support()
		return
	}
	b.marginals = &Marginals{}
	for i := range b.parts {
		t := &b.parts[i]
		if !t.possible {
			continue
		}
		if i == last {
			t.p = b.doubt
		} else {
			t.p = t.p / total * (1 - b.doubt)
		}
		support := t.marginals.support()
		for p := range b.marginals {
			b.support[p] |= support[p]
			for rank, chance := range &t.marginals[p] {
				b.marginals[p][rank] += t.p * chance
			}
		}
	}
}

// Components returns how likely each component of the mixture is, by the rule of Bayes; all together are one less the doubt.
func (b *Belief) Components() []float64 {
	b.solve()
	all := make([]float64, len(b.mixture.components))
	for i := range all {
		all[i] = b.parts[i].p
	}
	return all
}

// Styles returns how likely each style is: the sum over its components.
func (b *Belief) Styles() []float64 {
	all := make([]float64, b.mixture.styles)
	for i, p := range b.Components() {
		all[b.mixture.components[i].Style] += p
	}
	return all
}

// draw draws a component by how likely it is.
func (b *Belief) draw(r *rand.Rand) Distribution {
	last, n := 0, 0
	for i := range b.parts {
		if b.parts[i].p > 0 {
			last = i
			n++
		}
	}
	if n > 1 {
		rest := r.Float64()
		for i := range b.parts {
			// Rounding may leave a rest when all is used up; then it is the last.
			if rest -= b.parts[i].p; rest < 0 {
				return b.parts[i].armies
			}
		}
	}
	return b.parts[last].armies
}

// enumerate appends all worlds, each with its probability in the mixture. They are in the order in which the first
// component yields them that has them, so that the same belief gives the same list.
func (b *Belief) enumerate(dst []Weighed) []Weighed {
	at := map[World]int{}
	for i := range b.parts {
		t := &b.parts[i]
		if t.p == 0 {
			continue
		}
		total := 0.0
		var weights []float64
		var places []int
		for w, weight := range t.armies.All() {
			place, ok := at[*w]
			if !ok {
				place = len(dst)
				at[*w] = place
				dst = append(dst, Weighed{World: *w})
			}
			places, weights = append(places, place), append(weights, weight)
			total += weight
		}
		for n, place := range places {
			dst[place].P += t.p * weights[n] / total
		}
	}
	return dst
}
