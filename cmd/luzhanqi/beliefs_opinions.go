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

func (b *beliefsCommand) trust() (likelihood.Trust, error) {
	t := likelihood.DefaultTrust
	for _, option := range []struct {
		name  string
		given *float64
		x     *float64
	}{{"prior", b.Prior, &t.Prior}, {"likelihoods", b.Likelihoods, &t.Likelihoods}} {
		if option.given == nil {
			continue
		}
		const limit = 4
		if *option.x = *option.given; !(*option.x >= 0 && *option.x <= limit) {
			return t, fmt.Errorf("--%s %v: allowed are 0 to %d", option.name, *option.x, limit)
		}
	}
	return t, nil
}

// follow gives each position as a side sees it, ply after ply as a player would have it, with the truth about
// the enemy.
func follow(r *record.Replay, side game.Side, last int, by likelihood.Trust, visit func(ply int, w *likelihood.Watcher, truth *hiddeninfo.World)) {
	view := func(ply int) *luzhanqi.View { return r.Positions[ply].View(side).(*luzhanqi.View) }
	w := likelihood.Watch(view(0), likelihood.Default(), by)
	truth := truthOf(r, w.Belief, side.Other())
	for ply := range last + 1 {
		w.Update(view(ply))
		visit(ply, w, truth)
	}
}

// evaluations judge the opinions over many positions.
type evaluations struct {
	records, positions int
	by                 likelihood.Trust
	of                 []hiddeninfo.Evaluation // by opinion
	troubles           []string
}

func newEvaluations(by likelihood.Trust) *evaluations {
	return &evaluations{by: by, of: make([]hiddeninfo.Evaluation, len(likelihood.Opinions)), troubles: []string{}}
}

func (e *evaluations) add(r *record.Replay, side game.Side) {
	last := len(r.Positions) - 1
	follow(r, side, last, e.by, func(ply int, w *likelihood.Watcher, truth *hiddeninfo.World) {
		e.positions++
		hidden := w.Belief.Hidden()
		for i, o := range likelihood.Opinions {
			e.of[i].Add(w.Marginals(o), truth, hidden)
		}
		if err := w.Belief.Trouble(); err != nil && ply == last {
			e.troubles = append(e.troubles, fmt.Sprintf("%v, player %v: %v", r.Header, side, err))
		}
	})
}

// String is a calibration table for each opinion.
func (e *evaluations) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s judged; exponents: prior %v, likelihoods %v\n", text.Count(e.records, "record"), text.Count(e.positions, "position"), e.by.Prior, e.by.Likelihoods)
	for i, o := range likelihood.Opinions {
		fmt.Fprintf(&s, "\n%s: %v", o.Name, &e.of[i])
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
	for i, o := range likelihood.Opinions {
		of := &e.of[i]
		byOpinion[o.Key] = judged{of.LogLoss(), of.Excluded(), of.CalibrationError(), of.Bins()}
	}
	return map[string]any{
		"records": e.records, "positions": e.positions, "hidden": e.of[0].Pieces(), "exponents": e.by, "opinions": byOpinion, "troubles": e.troubles,
	}
}
