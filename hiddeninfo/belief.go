// Package hiddeninfo provides exact inference about the hidden pieces of Luzhanqi.
//
// [Belief] is the entry: made from a luzhanqi.View and kept up to date with it, it knows for every
// enemy piece, alive or dead, which ranks it can still be, how likely each is, and draws complete
// worlds by their probability. [Belief.Opponent] returns the enemy's belief about our pieces, if a
// given world is true. [Assignments] counts for both, and [Evaluation] measures beliefs by games whose
// hidden ranks are known.
//
// Everything is exact, up to the rounding of float64: a rank has a positive probability if and only
// if some set-up of the whole enemy army agrees with every single observation. Without opinions
// all such set-ups are equally likely; a prior and likelihoods, as [Weights], shift that but
// exclude nothing.
//
// Two sources of knowledge are not used: that a repetition did not end the game (so two hidden pieces
// that changed places must differ), and that the enemy had a legal move before it made one. Why a
// side moves as it does is not known here: that is for the likelihoods, which the players learn.
// The package reads no clock, writes nothing, and draws random numbers from the given source only.
package hiddeninfo

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// Belief is one side's belief about the other side's army. Update, Observe, Tell and the methods Set… change
// it. The first question after a change computes the marginals; from then until the next
// change any number of goroutines may ask.
type Belief struct {
	side      game.Side
	minesStay bool
	ply       int
	evidence  evidence
	ranks     World            // own, by piece; None where the own set-up has nothing
	own       luzhanqi.Board   // the own pieces alone, as the view has them
	strangers luzhanqi.Squares // enemy pieces beyond the number of an army, which only a faulty referee shows
	trouble   error

	mixture     *Mixture
	likelihoods *Weights
	styles      []Style
	doubt       float64

	solved    bool
	solvedAt  int          // evidence.changes
	counter   *Assignments // without weights
	tables    []table      // with opinions
	parts     []part       // by component, and behind these one without opinions
	marginals *Marginals
	support   [Pieces]Mask // what is possible in any part
	worlds    float64
}

// New returns the belief after everything that the view has seen.
func New(v *luzhanqi.View) *Belief {
	b := &Belief{side: v.Side(), minesStay: v.MinesStay(), mixture: plain(nil)}
	b.evidence.begin()
	for p := range b.ranks {
		b.ranks[p] = v.SetUp().At(Homes[p])
	}
	b.Update(v)
	return b
}

// Update takes in what the view has seen since the last time. A view with fewer observations than
// that is taken for another game, and the belief begins anew, without its opinions and doubt.
func (b *Belief) Update(v *luzhanqi.View) {
	if v.Ply() < b.ply {
		*b = *New(v)
		return
	}
	if o, ok := v.Last(); ok && v.Ply() == b.ply+1 { // the usual case, without a list
		b.observe(&o)
	} else if v.Ply() > b.ply {
		for _, o := range v.Since(b.ply) {
			b.observe(&o)
		}
	}
	b.strangers = 0
	if b.evidence.armies[b.side.Other()].standing != v.Enemy() {
		b.noteTrouble(fmt.Errorf("ply %d: enemy pieces stand where none can have come to", b.ply))
		b.strangers = b.evidence.follow(b.side.Other(), v.Enemy())
	}
	if b.evidence.armies[b.side].standing != v.Own() {
		b.evidence.follow(b.side, v.Own())
	}
	b.own = luzhanqi.Board{}
	for sq := range v.Own().All() {
		b.own.Put(sq, b.side, v.Rank(sq))
	}
}

// Observe takes in one observation, the next after those so far, for who asks in between what is believed; Update with a view that has seen it
// must follow.
func (b *Belief) Observe(o *luzhanqi.Observation) { b.observe(o) }

// observe learns from one move and, knowing the own rank, from its combat.
func (b *Belief) observe(o *luzhanqi.Observation) {
	b.ply++
	duels := len(b.evidence.duels)
	if err := b.evidence.observe(o); err != nil {
		b.noteTrouble(fmt.Errorf("ply %d, %s by player %v: %w", b.ply, luzhanqi.MoveName(o.Move), o.Mover, err))
	}
	for _, d := range b.evidence.duels[duels:] {
		role := Attacked
		if d.attacker == b.side {
			role = Defended
		}
		if rank := b.ranks[d.pieces[b.side]]; rank != luzhanqi.None {
			b.evidence.learn(b.side.Other(), fought, d.pieces[b.side.Other()], Inference(role, rank, d.result, b.minesStay))
		}
	}
}

// Tell takes in that an enemy piece is one of some ranks, by whoever knows it. It measures what knowing is worth.
func (b *Belief) Tell(p Piece, m Mask) { b.evidence.learn(b.side.Other(), fought, p, m) }

// noteTrouble keeps the first error.
func (b *Belief) noteTrouble(err error) {
	if b.trouble == nil {
		b.trouble = err
	}
}

// Trouble returns the first contradiction among the observations (from a referee with a bug or other
// rules), nil if there is none. Later ones do not replace it. The belief goes on with the facts that are
// consistent.
func (b *Belief) Trouble() error {
	b.solve()
	return b.trouble
}

// SetPrior sets the weights of the set-ups: a factor for each Piece (its initial square in the owner's
// frame) and rank; nil is uniform. It takes the place of a mixture. None of these methods copies weights: set
// them again after changing them.
func (b *Belief) SetPrior(w *Weights) { b.SetMixture(plain(w)) }

// SetMixture sets the prior to one that does not know who set up the army; it takes the place of SetPrior's.
func (b *Belief) SetMixture(m *Mixture) { b.mixture, b.solved = m, false }

// SetStyles says what is known of the styles of a mixture from elsewhere, by style; of styles beyond the last,
// nothing.
func (b *Belief) SetStyles(styles []Style) { b.styles, b.solved = styles, false }

// SetLikelihoods sets the likelihood of each piece's moves so far, P(moves | rank), up to a factor for
// each piece; nil for none.
func (b *Belief) SetLikelihoods(w *Weights) { b.likelihoods, b.solved = w, false }

// SetDoubt sets how likely it is that priors and likelihoods say nothing, and all set-ups that agree with what was observed are equally
// likely: from 0, which is so at the beginning, to below 1.
func (b *Belief) SetDoubt(p float64) {
	if !(p >= 0 && p < 1) {
		panic(fmt.Sprintf("doubt of %v: must be from 0 to below 1", p))
	}
	b.doubt, b.solved = p, false
}

// Release gives the memory of the tables back, some 10 MB early in a game; what is asked next is counted again. Who plays
// many games at a time calls it between two moves. Nobody may be asking meanwhile.
func (b *Belief) Release() {
	b.dropTables(0)
	if b.counter != nil {
		spare.Put(b.counter)
	}
	b.parts, b.counter, b.solved = nil, nil, false
}

// PieceAt returns the enemy piece on a square.
func (b *Belief) PieceAt(sq game.Square) (Piece, bool) { return b.enemies().on(sq) }

// OwnPieceAt returns the own piece on a square, as Opponent numbers them.
func (b *Belief) OwnPieceAt(sq game.Square) (Piece, bool) { return b.evidence.armies[b.side].on(sq) }

// SquareOf returns where an enemy piece stands, or where it last stood before it fell.
func (b *Belief) SquareOf(p Piece) (sq game.Square, alive bool) {
	return b.enemies().square[p], b.enemies().alive>>p&1 != 0
}

// Initial returns where an enemy piece was set up, in player 1's frame.
func (b *Belief) Initial(p Piece) game.Square { return p.home(b.side.Other()) }

func (b *Belief) enemies() *army { return &b.evidence.armies[b.side.Other()] }

// Known returns the ranks that the observations of one enemy piece leave it, the others ignored.
// It costs a few nanoseconds where Mask may have to count first, but Mask says more, and after
// trouble Known may be empty.
func (b *Belief) Known(p Piece) Mask { return b.enemies().known(p) }

// Mask returns exactly the ranks that an enemy piece can be.
func (b *Belief) Mask(p Piece) Mask {
	b.solve()
	return b.support[p]
}

// Marginals returns the probability of every rank for every enemy piece. They are shared: do not
// change them. They are not overwritten later.
func (b *Belief) Marginals() *Marginals {
	b.solve()
	return b.marginals
}

// Constraints returns what Marginals would be if priors and likelihoods said nothing. The caller may change them.
func (b *Belief) Constraints() *Marginals {
	b.solve()
	return b.counter.By(0).Marginals()
}

// Sample draws a world.
func (b *Belief) Sample(r *rand.Rand, dst *World) {
	b.solve()
	b.draw(r).Sample(r, dst)
}

// Board returns all pieces as they stand if the enemy has the ranks of the world.
func (b *Belief) Board(w *World) luzhanqi.Board {
	board := b.own
	a := b.enemies()
	for alive := a.alive; alive != 0; alive &= alive - 1 {
		p := bits.TrailingZeros32(alive)
		board.Put(a.square[p], b.side.Other(), w[p])
	}
	for sq := range b.strangers.All() { // a rank in the middle misleads the evaluation least
		board.Put(sq, b.side.Other(), luzhanqi.Captain)
	}
	return board
}

// Worlds returns how many worlds there are, whatever their weights.
func (b *Belief) Worlds() float64 {
	b.solve()
	return b.worlds
}

// Weighed is a world with its probability.
type Weighed struct {
	World World
	P     float64
}

// Enumerate appends all worlds to dst; false and nothing if there are more than limit.
func (b *Belief) Enumerate(limit int, dst []Weighed) ([]Weighed, bool) {
	b.solve()
	if b.worlds > float64(limit) {
		return dst, false
	}
	return b.enumerate(dst), true
}

// solve computes masks, marginals and number of worlds, unless nothing has changed.
func (b *Belief) solve() {
	if b.solved && b.solvedAt == b.evidence.changes {
		return
	}
	if b.counter == nil {
		b.counter = NewAssignments()
	}
	var masks [Pieces]Mask
	for p := range masks {
		masks[p] = b.enemies().known(Piece(p))
	}
	if !b.counter.Solve(&masks, nil) {
		var dropped error
		masks, dropped = repair(b.enemies(), b.side.Other())
		b.noteTrouble(fmt.Errorf("ply %d: no army agrees with everything observed; dropped are %w", b.ply, dropped))
		b.counter.Solve(&masks, nil)
	}
	b.worlds = b.counter.By(0).Count()
	b.solveParts(&masks)
	b.solved, b.solvedAt = true, b.evidence.changes
}

// support returns the ranks that are possible.
func (m *Marginals) support() (masks [Pieces]Mask) {
	for p := range m {
		for _, rank := range luzhanqi.Ranks {
			if m[p][rank] > 0 {
				masks[p] |= Only(rank)
			}
		}
	}
	return masks
}
