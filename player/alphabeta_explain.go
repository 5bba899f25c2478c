package player

import (
	"math"
	"time"

	"luzhanqi/game"
)

// pondered is what Explain and Thought are asked about.
type pondered struct {
	thought
	game   game.Game
	forced bool // there was one move only
	nodes  int64
	took   time.Duration
}

// Thought is what a search of a game of perfect information has come to. It marshals to JSON.
type Thought struct {
	Move   string        `json:"move"`
	Forced bool          `json:"forced,omitempty"`
	Depth  int           `json:"depth"`           // plies of the last finished iteration
	Nodes  int64         `json:"nodes"`           // positions looked at
	Score  int           `json:"score"`           // in hundredths of the game's unit, seen from the mover
	Wins   int           `json:"wins,omitempty"`  // proven: wins in at most so many plies
	Loses  int           `json:"loses,omitempty"` // proven: loses in at most so many plies, whatever it does
	Line   []string      `json:"line"`            // the best moves of both sides
	Time   time.Duration `json:"time_ns"`         // from the question to the answer
}

// Thought tells what the latest Choose has come to; false before the first.
func (p *alphaBeta) Thought() (Thought, bool) {
	l := &p.latest
	if len(l.line) == 0 {
		return Thought{}, false
	}
	t := Thought{
		Move: l.game.FormatMove(l.line[0]), Forced: l.forced, Depth: l.depth, Nodes: l.nodes,
		Score: int(l.score), Time: l.took,
	}
	switch {
	case l.score >= proven:
		t.Wins = endsIn(l.score)
	case l.score <= -proven:
		t.Loses = endsIn(l.score)
	}
	for _, m := range l.line {
		t.Line = append(t.Line, l.game.FormatMove(m))
	}
	return t, true
}

// Explain implements Explainer with what fits its form: the choice, and how it is judged.
func (p *alphaBeta) Explain() (Explanation, bool) {
	t, ok := p.Thought()
	if !ok {
		return Explanation{}, false
	}
	e := Explanation{Move: t.Move, Forced: t.Forced, Worlds: 1, Possible: 1, Nodes: t.Nodes, Time: t.Time}
	if !t.Forced {
		e.Candidates = []Explained{{Move: t.Move, Visits: t.Nodes, Value: chance(p.latest.score)}}
	}
	return e, true
}

// chance turns a score into wins: from −1 for a proven loss to 1.
func chance(score int32) float64 {
	switch {
	case score >= proven:
		return 1
	case score <= -proven:
		return -1
	}
	return math.Tanh(float64(score) / 600)
}
