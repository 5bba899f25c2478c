// Package likelihood tells hidden pieces of Luzhanqi apart by what they do: [BehaviourModel] follows one game
// and gives the likelihood of what each enemy piece has done for each rank, [Table.SetUpPrior] says where pieces
// are usually set up. Both are weights for hiddeninfo.Belief, which alone knows what is possible; a
// [Watcher] is a belief with both.
package likelihood

import (
	"math"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// BehaviourModel follows one game from one side's views. From how each enemy piece has moved, and from what
// it could have done and did not, it tells which rank the piece is likely to have: it knows how pieces of
// each rank usually move ([Learned]).
//
// It belongs to one goroutine.
type BehaviourModel struct {
	learned Learned
	table   *Table // what is learned, if it is one
	side    game.Side
	ply     int
	broken  bool // something was observed that cannot be; it has stopped looking
	public  public
	ranks   hiddeninfo.World // own
	context context
	counts  [hiddeninfo.Pieces][eventCount]uint16
	logs    hiddeninfo.Weights // the sums of what each count says by the table
}

// Learned is how pieces of each rank move: a [Table] or a [RankModel].
type Learned interface {
	likelihoods(b *BehaviourModel, exponent float64) *hiddeninfo.Weights
}

// New begins before the first move, whatever the view has seen; Update takes that in. With nothing learned it only counts.
func New(v *luzhanqi.View, learned Learned) *BehaviourModel {
	b := &BehaviourModel{learned: learned, side: v.Side(), public: newPublic()}
	b.table, _ = learned.(*Table)
	for p := range b.ranks {
		b.ranks[p] = v.SetUp().At(hiddeninfo.Homes[p])
	}
	return b
}

// Update takes in what the view has seen since the last time. A view with fewer observations than
// that is taken for another game. After an observation that cannot be it changes nothing any more.
func (b *BehaviourModel) Update(v *luzhanqi.View) {
	if v.Ply() < b.ply {
		*b = *New(v, b.learned)
	}
	if o, ok := v.Last(); ok && v.Ply() == b.ply+1 { // without a list
		b.observe(&o)
	} else if v.Ply() > b.ply {
		for _, o := range v.Since(b.ply) {
			b.observe(&o)
		}
	}
	b.ply = v.Ply() // as observe has counted, unless it has stopped
}

func (b *BehaviourModel) observe(o *luzhanqi.Observation) {
	b.broken = b.broken || !b.public.fits(o)
	if b.broken {
		return
	}
	if o.Mover != b.side {
		b.judge(o)
	}
	b.public.play(o)
	b.ply++
}

// Likelihoods returns P(what it did | rank) up to a factor for each enemy piece, raised to a power,
// for Belief.SetLikelihoods. The weights are the caller's.
func (b *BehaviourModel) Likelihoods(exponent float64) *hiddeninfo.Weights {
	return b.learned.likelihoods(b, exponent)
}

func (*Table) likelihoods(b *BehaviourModel, exponent float64) *hiddeninfo.Weights {
	return exponentials(&b.logs, exponent)
}

// evidence divides each piece's likelihoods by what they are on average for a piece of which nothing is known but where it
// was set up and whether it has moved. Then they also say whether the piece does what these likelihoods expect of
// anyone, and can be compared with those of a style of which nothing is expected, which are all 1.
func (b *BehaviourModel) evidence(likelihoods *hiddeninfo.Weights) *hiddeninfo.Weights {
	scaled := *likelihoods
	for p := range scaled {
		of := unseen
		if b.public.hasMoved(b.side.Other(), int8(p)) {
			of = unseenMover
		}
		mean := 0.0
		for rank, chance := range &of[p] {
			mean += chance * scaled[p][rank]
		}
		for rank := range scaled[p] {
			scaled[p][rank] /= mean
		}
	}
	return &scaled
}

// unseen and unseenMover are the odds of a piece where it was set up, before its first move and after it.
var unseen, unseenMover = func() (all, movers hiddeninfo.Marginals) {
	b := hiddeninfo.New(luzhanqi.NewView(game.First, luzhanqi.SetUp{}, false))
	all = *b.Marginals()
	for p := range all {
		total := 0.0
		for _, rank := range luzhanqi.Ranks {
			if rank.Moves() {
				movers[p][rank] = all[p][rank]
				total += all[p][rank]
			}
		}
		for rank := range movers[p] {
			movers[p][rank] /= total
		}
	}
	return all, movers
}()

// SetUpPrior returns how much likelier than by the rules alone each rank is on each square of a
// set-up, raised to a power, for Belief.SetPrior. It was fitted to set-ups of several makers, of
// which one draws at random, so that it never is very sure.
func (t *Table) SetUpPrior(exponent float64) *hiddeninfo.Weights {
	var logs hiddeninfo.Weights
	for p, home := range hiddeninfo.Homes {
		logs[p] = t.setUp[foldOf[home]]
	}
	return exponentials(&logs, exponent)
}

func exponentials(logs *hiddeninfo.Weights, exponent float64) *hiddeninfo.Weights {
	w := &hiddeninfo.Weights{}
	for p := range w {
		for _, rank := range luzhanqi.Ranks {
			w[p][rank] = math.Exp(exponent * logs[p][rank])
		}
	}
	return w
}

// power raises all weights to a power.
func power(w *hiddeninfo.Weights, exponent float64) *hiddeninfo.Weights {
	raised := *w
	for p := range raised {
		for _, rank := range luzhanqi.Ranks {
			raised[p][rank] = math.Pow(raised[p][rank], exponent)
		}
	}
	return &raised
}
