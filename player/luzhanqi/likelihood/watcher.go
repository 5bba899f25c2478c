package likelihood

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// Trust is how far what was learned is believed, as exponents; zero: not at all.
type Trust struct {
	Prior       float64 `json:"prior"`            // Table.SetUpPrior, or with Makers its weights
	Makers      bool    `json:"makers,omitempty"` // the prior is that of DefaultMakers
	Likelihoods float64 `json:"likelihoods"`      // BehaviourModel.Likelihoods; zero: what pieces do says nothing
	// Strangers is, among Makers, what Likelihoods is for those of whom nothing is known. It says nothing where Likelihoods or
	// Prior is zero.
	Strangers float64 `json:"strangers,omitempty"`
	// Doubt is how likely it is at the beginning of a game that all of this says nothing, below 1.
	Doubt float64 `json:"doubt,omitempty"`
}

// DefaultTrust is that of the level strong. Whom to trust is learned in each game: strangers are among the makers, and
// are expected to have the habits of others half as much as these were learned. Of the others they are believed more than as learned: that
// foretells pieces about as well, and wins more games (measured.md in the folder above). That anything of it holds for
// this enemy is doubted, and fights tell.
var DefaultTrust = Trust{Prior: 1, Makers: true, Likelihoods: 1.34, Strangers: 0.5, Doubt: 0.35}

// WithLikelihoods trusts what pieces do so much, and in proportion where nothing is known of the maker.
func (t Trust) WithLikelihoods(exponent float64) Trust {
	if t.Likelihoods > 0 {
		t.Strangers *= exponent / t.Likelihoods
	}
	t.Likelihoods = exponent
	return t
}

// Watcher follows one game from one side's views, with a belief that takes what was learned into account.
type Watcher struct {
	Belief      *hiddeninfo.Belief
	trust       Trust
	ply         int
	stale       bool // the belief has not been told what the latest moves of the enemy say
	model       *BehaviourModel
	prior       *hiddeninfo.Weights
	mixture     *hiddeninfo.Mixture // in place of the prior, unless nil
	likelihoods *hiddeninfo.Weights // nil: not believed
	strangers   *hiddeninfo.Weights // of makers of whom nothing is known; nil: what their pieces do says nothing
	doubt       doubt
}

// Watch begins with a view, whatever that has seen: it believes what who has watched from the first move does. To trust a prior without
// makers, it must be a [Table] that was learned.
func Watch(v *luzhanqi.View, learned Learned, t Trust) *Watcher {
	start := luzhanqi.NewView(v.Side(), v.SetUp(), v.MinesStay())
	w := &Watcher{Belief: hiddeninfo.New(start), trust: t, stale: true, model: New(start, learned), doubt: doubt{start: t.Doubt, now: t.Doubt}}
	switch {
	case t.Makers && t.Prior > 0:
		w.mixture = DefaultMakers().Mixture(t.Prior)
	case t.Prior > 0:
		w.prior = learned.(*Table).SetUpPrior(t.Prior)
	}
	w.setPrior()
	w.Update(v)
	return w
}

func (w *Watcher) setPrior() {
	if w.mixture != nil {
		w.Belief.SetMixture(w.mixture)
	} else {
		w.Belief.SetPrior(w.prior)
	}
	w.Belief.SetDoubt(w.doubt.now)
}

// Update takes in what the view has seen since the last time. A view with fewer observations than that is of another game, with which it begins
// anew.
func (w *Watcher) Update(v *luzhanqi.View) {
	if v.Ply() < w.ply {
		*w = *Watch(v, w.model.learned, w.trust)
		return
	}
	for _, o := range v.Since(w.ply) {
		if w.trust.Doubt > 0 {
			w.learnDoubt(&o, v.Side())
		}
		w.stale = w.stale || o.Mover != v.Side()
	}
	w.Belief.Update(v)
	w.model.Update(v)
	w.ply = v.Ply()
	w.weigh()
}

// learnDoubt takes one observation in.
func (w *Watcher) learnDoubt(o *luzhanqi.Observation, side game.Side) {
	fight := o.Result != luzhanqi.Quiet
	if fight {
		w.weigh()
		w.doubt.foretell(w.Belief)
	}
	w.Belief.Observe(o)
	w.model.observe(o)
	if fight {
		w.doubt.judge(w.Belief, o.Mover != side)
		w.Belief.SetDoubt(w.doubt.now)
	}
}

// weigh tells the belief what pieces have done, unless it knows.
func (w *Watcher) weigh() {
	if w.trust.Likelihoods == 0 || !w.stale {
		return
	}
	w.stale = false
	w.likelihoods = w.model.Likelihoods(w.trust.Likelihoods)
	if w.mixture != nil && w.trust.Strangers > 0 {
		w.strangers = power(w.likelihoods, w.trust.Strangers/w.trust.Likelihoods)
	}
	w.setLikelihoods()
}

// setLikelihoods gives them to the makers, each as much as it is trusted, or to all pieces alike.
func (w *Watcher) setLikelihoods() {
	if w.mixture == nil || w.likelihoods == nil {
		w.Belief.SetLikelihoods(w.likelihoods)
		w.Belief.SetStyles(nil)
		return
	}
	w.Belief.SetLikelihoods(nil)
	known, strangers := w.model.evidence(w.likelihoods), w.strangers
	if strangers != nil {
		strangers = w.model.evidence(strangers)
	}
	w.Belief.SetStyles(DefaultMakers().styles(known, strangers))
}

// Opinion is a belief that takes some of what is known into account.
type Opinion struct {
	Name               string // for people
	Key                string
	prior, likelihoods bool
}

// Opinions are what is judged side by side, the weakest first.
var Opinions = []Opinion{
	noBelief,
	{Name: "constraints", Key: "constraints"},
	{Name: "with prior", Key: "prior", prior: true},
	{Name: "with likelihoods", Key: "likelihoods", likelihoods: true},
	{Name: "with both", Key: "both", prior: true, likelihoods: true},
}

var noBelief = Opinion{Name: "no belief", Key: "none"}

// Marginals are the chances of each rank for each enemy piece, in an opinion. The belief is as it was
// afterwards.
func (w *Watcher) Marginals(o Opinion) *hiddeninfo.Marginals {
	if o == noBelief {
		return hiddeninfo.NoBelief()
	}
	defer func() {
		w.setPrior()
		w.setLikelihoods()
	}()
	if !o.prior {
		w.Belief.SetPrior(nil)
	}
	if !o.prior || !o.likelihoods {
		w.Belief.SetDoubt(0) // it was learned of both together
	}
	w.Belief.SetStyles(nil)
	switch {
	case !o.likelihoods:
		w.Belief.SetLikelihoods(nil)
	case o.prior:
		w.setLikelihoods()
	default:
		w.Belief.SetLikelihoods(w.likelihoods)
	}
	m := *w.Belief.Marginals()
	return &m
}
