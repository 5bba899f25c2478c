package luzhanqi

import (
	"cmp"
	"slices"

	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
)

// Explain implements player.Explainer.
func (p *Searcher) Explain() (player.Explanation, bool) {
	if p.last.view == nil {
		return player.Explanation{}, false
	}
	l := &p.last
	e := player.Explanation{
		Move: luzhanqi.MoveName(l.move), Forced: l.search == nil, Time: l.took,
	}
	if p.style.Beliefs { // else it was not used
		e.Possible, e.Belief = p.watcher.Belief.Worlds(), suspicions(l.view, p.watcher.Belief)
	}
	if err := p.watcher.Belief.Trouble(); err != nil {
		e.Trouble = err.Error()
	}
	if l.search == nil {
		return e, true
	}
	e.Worlds, e.Nodes = len(l.search.worlds), l.search.played.Load()
	best := make([]*candidate, len(l.search.candidates))
	for i := range best {
		best[i] = &l.search.candidates[i]
	}
	slices.SortStableFunc(best, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.visits, a.visits), cmp.Compare(b.worth(), a.worth()))
	})
	for _, c := range best {
		value, slope := c.value(), 1.0
		if !c.known() {
			value, slope = p.style.Foretelling.value(l.view.Ply(), value)
		}
		e.Candidates = append(e.Candidates, player.Explained{
			Move: luzhanqi.MoveName(c.move), Visits: c.visits, Value: value, Error: slope * c.err(), Seen: c.seen,
		})
	}
	return e, true
}

func suspicions(v *luzhanqi.View, belief *hiddeninfo.Belief) (all []player.Suspicion) {
	marginals := belief.Marginals()
	for sq := range v.Enemy().All() {
		p, ok := belief.PieceAt(sq)
		if !ok {
			continue
		}
		s := player.Suspicion{Square: luzhanqi.SquareName(sq), Odds: map[string]float64{}}
		for _, rank := range luzhanqi.Ranks {
			if chance := marginals[p][rank]; chance > 0 {
				s.Odds[string(rank.Letter())] = chance
			}
		}
		all = append(all, s)
	}
	return all
}
