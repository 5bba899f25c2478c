package main

import (
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

// opinions are the beliefs that are judged side by side, the weakest first.
var opinions = []struct {
	name, key string
	marginals func(*watcher) *hiddeninfo.Marginals
}{
	{"no belief", "none", func(*watcher) *hiddeninfo.Marginals { return hiddeninfo.NoBelief() }},
	{"constraints", "constraints", func(w *watcher) *hiddeninfo.Marginals { return w.marginals(false, false) }},
	{"with prior", "prior", func(w *watcher) *hiddeninfo.Marginals { return w.marginals(true, false) }},
	{"with likelihoods", "likelihoods", func(w *watcher) *hiddeninfo.Marginals { return w.marginals(false, true) }},
	{"with both", "both", func(w *watcher) *hiddeninfo.Marginals { return w.marginals(true, true) }},
}

// trust is the exponents of what was learned.
type trust struct {
	Prior       float64 `json:"prior"`
	Likelihoods float64 `json:"likelihoods"`
}

func (b *beliefsCommand) trust() (trust, error) {
	t := trust{likelihood.SetUpExponent, likelihood.BehaviourExponent}
	for _, option := range []struct {
		name  string
		given *float64
		x     *float64
	}{{"prior", b.Prior, &t.Prior}, {"likelihoods", b.Likelihoods, &t.Likelihoods}} {
		if option.given == nil {
			continue
		}
		const most = 4
		if *option.x = *option.given; !(*option.x >= 0 && *option.x <= most) {
			return t, fmt.Errorf("--%s %v: allowed are 0 to %d", option.name, *option.x, most)
		}
	}
	return t, nil
}

// watcher is one side that follows a game, with the truth about the enemy, which it does not use.
type watcher struct {
	belief             *hiddeninfo.Belief
	habits             *likelihood.BehaviourModel
	truth              *hiddeninfo.World
	prior, likelihoods *hiddeninfo.Weights
}

func (w *watcher) marginals(prior, likelihoods bool) *hiddeninfo.Marginals {
	w.belief.SetPrior(nil)
	w.belief.SetLikelihoods(nil)
	if prior {
		w.belief.SetPrior(w.prior)
	}
	if likelihoods {
		w.belief.SetLikelihoods(w.likelihoods)
	}
	return w.belief.Marginals()
}

// follow gives each position as a side sees it, ply after ply as a player would have it.
func follow(r *record.Replay, side game.Side, last int, by trust, visit func(ply int, w *watcher)) {
	view := func(ply int) *luzhanqi.View { return r.Positions[ply].View(side).(*luzhanqi.View) }
	w := &watcher{belief: hiddeninfo.New(view(0)), habits: likelihood.New(view(0)), prior: likelihood.SetUpPrior(by.Prior)}
	w.truth = truthOf(r, w.belief, side.Other())
	for ply := range last + 1 {
		w.belief.Update(view(ply))
		w.habits.Update(view(ply))
		w.likelihoods = w.habits.Likelihoods(by.Likelihoods)
		visit(ply, w)
	}
}

// evaluations judge the opinions over many positions.
type evaluations struct {
	records, positions int
	by                 trust
	of                 []hiddeninfo.Evaluation // by opinion
	troubles           []string
}

func newEvaluations(by trust) *evaluations {
	return &evaluations{by: by, of: make([]hiddeninfo.Evaluation, len(opinions)), troubles: []string{}}
}

func (e *evaluations) add(r *record.Replay, side game.Side) {
	last := len(r.Positions) - 1
	follow(r, side, last, e.by, func(ply int, w *watcher) {
		e.positions++
		hidden := w.belief.Hidden()
		for i, o := range opinions {
			e.of[i].Add(o.marginals(w), w.truth, hidden)
		}
		if err := w.belief.Trouble(); err != nil && ply == last {
			e.troubles = append(e.troubles, fmt.Sprintf("%v, player %v: %v", r.Header, side, err))
		}
	})
}

// String is a calibration table for each opinion.
func (e *evaluations) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s judged; exponents: prior %v, likelihoods %v\n", text.Count(e.records, "record"), text.Count(e.positions, "position"), e.by.Prior, e.by.Likelihoods)
	for i, o := range opinions {
		fmt.Fprintf(&s, "\n%s: %v", o.name, &e.of[i])
	}
	for _, trouble := range e.troubles {
		fmt.Fprintf(&s, "\ntrouble: %s\n", trouble)
	}
	return s.String()
}

// judged is what --all --json says of an opinion.
type judged struct {
	LogLoss          float64          `json:"log_loss"` // nats a piece
	Excluded         int              `json:"excluded"`
	CalibrationError float64          `json:"calibration_error"`
	Bins             []hiddeninfo.Bin `json:"bins"`
}

func (e *evaluations) json() any {
	byOpinion := map[string]judged{}
	for i, o := range opinions {
		of := &e.of[i]
		byOpinion[o.key] = judged{of.LogLoss(), of.Excluded(), of.CalibrationError(), of.Bins()}
	}
	return map[string]any{
		"records": e.records, "positions": e.positions, "hidden": e.of[0].Pieces(), "exponents": e.by, "opinions": byOpinion, "troubles": e.troubles,
	}
}
