package hiddeninfo

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"luzhanqi/game/luzhanqi"
)

// Assignments counts the ways to give an army's ranks to its pieces when each piece can only be
// some of them: how many there are, how often each piece has each rank, and any of them at random.
// All of it is exact, with and without weights, but for the rounding of float64.
//
// Solve prepares, for any number of opinions at once, and By returns what one of them makes of the assignments.
// Between two calls of Solve any number of goroutines may ask at once. Solving again reuses the memory.
//
// The count is dynamic programming: pieces choose one after another, and what matters of their
// choices is only how many of each rank are left. Three reductions make that small:
// ranks and pieces that leave no choice are taken out first; ranks that suit exactly the same
// pieces are one class; pieces that suit the same ranks are one group, whose members have the same
// marginals, and the last group has a closed form. What there is to choose is the same for all opinions, so one
// pass through the tables serves them all.
type Assignments struct {
	army     [rankCodes]uint8
	pieces   int
	possible bool // there is any assignment, by all opinions alike

	open     uint32 // the pieces that have a choice
	world    World  // the ranks of the others
	masks    [Pieces]Mask
	left     [rankCodes]uint8 // the army without the pieces that have no choice
	opinions []opinion
	weighed  bool // by any of them

	classes []rankClass
	groups  []pieceGroup // in the order in which they choose
	ordered []pieceGroup // their memory next time
	shaped  shape        // what order and lattice were made for
	order   [Pieces]uint8
	pool    [Pieces]luzhanqi.Rank
	factors []float64 // memory of the groups' weights

	lattice
	counting
}

// opinion is weights on one scale, and what they make of the assignments.
type opinion struct {
	rows   Weights   // of the open pieces
	scaled float64   // logarithm of what weigh has taken out of the weights
	result Marginals // of the open pieces
}

// rankClass holds ranks that have the same weights for every open piece.
type rankClass struct {
	ranks Mask
	size  int // pieces of these ranks that are left
	pool  int // where its ranks begin in the pool
}

// pieceGroup holds open pieces that have the same weights for every rank.
type pieceGroup struct {
	pieces  [Pieces]uint8
	size    int
	mask    Mask
	allowed uint16    // classes
	weights []float64 // by class and opinion; zero where not allowed
}

const maxClasses = len(luzhanqi.Ranks)

// spare are those whose memory can be used again.
var spare sync.Pool

// NewAssignments returns the assignments of a whole army, to be solved.
func NewAssignments() *Assignments {
	var army [rankCodes]uint8
	for _, rank := range luzhanqi.Ranks {
		army[rank] = uint8(luzhanqi.Count(rank))
	}
	return assignmentsOf(army)
}

// assignmentsOf is for armies of any composition up to the full size; tests use small ones. Pieces
// beyond the army's number are ignored.
func assignmentsOf(army [rankCodes]uint8) *Assignments {
	a, ok := spare.Get().(*Assignments)
	if !ok {
		a = &Assignments{}
	}
	a.army, a.pieces = army, 0
	for _, n := range army {
		a.pieces += int(n)
	}
	return a
}

// Solve takes the ranks that each piece can have, and the weights of any number of opinions. Nil, or none at all, is the opinion
// that finds all assignments equally likely. It returns whether there is any assignment; if not, the other methods have no meaning.
func (a *Assignments) Solve(masks *[Pieces]Mask, weights ...*Weights) bool {
	if a.possible = a.settle(masks); !a.possible {
		return false
	}
	if len(weights) == 0 {
		weights = []*Weights{nil}
	}
	a.weigh(weights)
	a.classify()
	a.collect()
	a.arrange()
	a.possible = a.count()
	return a.possible
}

// settle takes out the pieces that have no choice: a piece that can be one rank only, and pieces
// that are no more than a rank needs. Each may leave the others less choice, until nothing changes.
func (a *Assignments) settle(masks *[Pieces]Mask) bool {
	a.open = 1<<a.pieces - 1
	a.left = a.army
	a.masks = *masks
	var takers [rankCodes]uint32
	for p := range a.pieces {
		for m := a.masks[p] & AnyRank; m != 0; m &= m - 1 {
			takers[m.first()] |= 1 << p
		}
	}
	fix := func(p int, rank luzhanqi.Rank) {
		a.world[p] = rank
		a.open &^= 1 << p
		a.left[rank]--
	}
	for changed := true; changed; {
		changed = false
		var available Mask
		for _, rank := range luzhanqi.Ranks {
			suited := takers[rank] & a.open
			need := int(a.left[rank])
			switch have := bits.OnesCount32(suited); {
			case need == 0:
				continue
			case have < need:
				return false
			case have == need:
				for ; suited != 0; suited &= suited - 1 {
					fix(bits.TrailingZeros32(suited), rank)
				}
				changed = true
				continue
			}
			available |= Only(rank)
		}
		for open := a.open; open != 0; open &= open - 1 {
			p := bits.TrailingZeros32(open)
			a.masks[p] &= available
			switch rank := a.masks[p].first(); a.masks[p].Len() {
			case 0:
				return false
			case 1:
				if a.left[rank] == 0 {
					return false
				}
				fix(p, rank)
				changed = true
			}
		}
	}
	return true
}

// weigh puts the rows of the open pieces on one scale.
func (a *Assignments) weigh(weights []*Weights) {
	a.opinions = slices.Grow(a.opinions[:0], len(weights))[:len(weights)]
	a.weighed = false
	for i, w := range weights {
		o := &a.opinions[i]
		o.scaled = 0
		if w == nil {
			o.rows = uniform
			continue
		}
		a.weighed = true
		for p := range a.pieces {
			row, greatest := scale(&w[p], a.masks[p])
			o.scaled += math.Log(greatest)
			if a.open>>p&1 == 0 {
				o.scaled += math.Log(row[a.world[p]])
				continue
			}
			o.rows[p] = row
		}
	}
}

// classify finds the ranks that are the same to every open piece.
func (a *Assignments) classify() {
	a.classes = a.classes[:0]
	var takers [rankCodes]uint32
	for open := a.open; open != 0; open &= open - 1 {
		p := bits.TrailingZeros32(open)
		for m := a.masks[p]; m != 0; m &= m - 1 {
			takers[m.first()] |= 1 << p
		}
	}
next:
	for _, rank := range luzhanqi.Ranks {
		if a.left[rank] == 0 {
			continue
		}
		for i := range a.classes {
			c := &a.classes[i]
			if twin := c.ranks.first(); takers[twin] == takers[rank] && a.sameColumn(twin, rank, takers[rank]) {
				c.ranks |= Only(rank)
				c.size += int(a.left[rank])
				continue next
			}
		}
		a.classes = append(a.classes, rankClass{ranks: Only(rank), size: int(a.left[rank])})
	}
	n := 0
	for i := range a.classes {
		c := &a.classes[i]
		c.pool = n
		for ranks := c.ranks; ranks != 0; ranks &= ranks - 1 {
			for range a.left[ranks.first()] {
				a.pool[n] = ranks.first()
				n++
			}
		}
	}
}

// sameColumn says whether two ranks that suit the same pieces have the same weights there.
func (a *Assignments) sameColumn(r, s luzhanqi.Rank, pieces uint32) bool {
	if !a.weighed {
		return true
	}
	for ; pieces != 0; pieces &= pieces - 1 {
		p := bits.TrailingZeros32(pieces)
		for i := range a.opinions {
			if row := &a.opinions[i].rows[p]; row[r] != row[s] {
				return false
			}
		}
	}
	return true
}

// collect finds the pieces that are the same to every rank.
func (a *Assignments) collect() {
	a.groups = a.groups[:0]
	n, size := 0, len(a.classes)*len(a.opinions) // of a group's weights
	need := bits.OnesCount32(a.open) * size
	a.factors = slices.Grow(a.factors[:0], need)[:need]
	clear(a.factors)
next:
	for open := a.open; open != 0; open &= open - 1 {
		p := bits.TrailingZeros32(open)
		for i := range a.groups {
			g := &a.groups[i]
			if g.mask == a.masks[p] && a.sameRow(p, int(g.pieces[0])) {
				g.pieces[g.size] = uint8(p)
				g.size++
				continue next
			}
		}
		g := pieceGroup{mask: a.masks[p], size: 1, weights: a.factors[n : n+size]}
		n += size
		g.pieces[0] = uint8(p)
		for c := range a.classes {
			if rank := a.classes[c].ranks.first(); g.mask.Has(rank) {
				g.allowed |= 1 << c
				for i := range a.opinions {
					g.weights[c*len(a.opinions)+i] = a.opinions[i].rows[p][rank]
				}
			}
		}
		a.groups = append(a.groups, g)
	}
}

// sameRow says whether two pieces that suit the same ranks have the same weights there.
func (a *Assignments) sameRow(p, q int) bool {
	if !a.weighed {
		return true
	}
	for i := range a.opinions {
		if rows := &a.opinions[i].rows; rows[p] != rows[q] {
			return false
		}
	}
	return true
}
