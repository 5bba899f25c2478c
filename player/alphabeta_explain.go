package player

import (
	"time"

	"luzhanqi/game"
)

// pondered is what Explain is asked about.
type pondered struct {
	thought
	game   game.Game
	forced bool // there was one move only
	nodes  int64
	took   time.Duration
}

// Explain implements Explainer.
func (p *alphaBeta) Explain() (Explanation, bool) {
	l := &p.latest
	if len(l.line) == 0 {
		return Explanation{}, false
	}
	score := int(l.score)
	e := Explanation{
		Move: l.game.FormatMove(l.line[0]), Forced: l.forced, Depth: l.depth, Nodes: l.nodes, Time: l.took, Score: &score,
	}
	switch {
	case l.score >= proven:
		e.Wins = endsIn(l.score)
	case l.score <= -proven:
		e.Loses = endsIn(l.score)
	}
	for _, m := range l.line {
		e.Line = append(e.Line, l.game.FormatMove(m))
	}
	return e, true
}
