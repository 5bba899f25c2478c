package alphabeta

import (
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
)

// lastSearch is what Explain is asked about.
type lastSearch struct {
	thought
	game   game.Game
	forced bool // there was one move only
	nodes  int64
	took   time.Duration
}

// Explain implements player.Explainer.
func (p *Player) Explain() (player.Explanation, bool) {
	l := &p.lastSearch
	if len(l.line) == 0 {
		return player.Explanation{}, false
	}
	score := int(l.score)
	e := player.Explanation{
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
