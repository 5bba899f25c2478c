package player

import (
	"slices"
	"time"

	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// Explainer is a player that can say why it chose its latest move. Levels that search are.
type Explainer interface {
	// Explain explains the latest Choose; false before the first. It costs what writing it down
	// costs, so nobody pays who does not ask.
	Explain() (Explanation, bool)
}

// Explanation is what was behind one move. It marshals to JSON; squares are in player 1's frame. What a
// search does not have is left out: worlds are of hidden pieces, lines of open positions.
type Explanation struct {
	Move       string        `json:"move"`
	Forced     bool          `json:"forced,omitempty"`     // the only move, or one that takes the flag
	Nodes      int64         `json:"nodes"`                // positions looked at
	Time       time.Duration `json:"time_ns"`              // from the question to the answer
	Worlds     int           `json:"worlds,omitempty"`     // played in
	Possible   float64       `json:"possible,omitempty"`   // worlds that agree with everything observed
	Candidates []Explained   `json:"candidates,omitempty"` // the best first
	Belief     []Suspicion   `json:"belief,omitempty"`     // the enemy's pieces that stand
	Trouble    string        `json:"trouble,omitempty"`    // what was observed that cannot be
	Depth      int           `json:"depth,omitempty"`      // plies of the last finished iteration
	Score      *int          `json:"score,omitempty"`      // in hundredths of the game's unit, seen from the mover
	Wins       int           `json:"wins,omitempty"`       // proven: wins in at most so many plies
	Loses      int           `json:"loses,omitempty"`      // proven: loses in at most so many plies, whatever it does
	Line       []string      `json:"line,omitempty"`       // the best moves of both sides
}

// Explained is one candidate. Value is in wins, from −1 for a certain loss to 1, with its standard error.
type Explained struct {
	Move   string  `json:"move"`
	Visits int64   `json:"visits"`
	Value  float64 `json:"value"`
	Error  float64 `json:"error"`
	Seen   int     `json:"seen,omitempty"` // how often the configuration after it has occurred
}

// Suspicion is what an enemy piece can be, by the ranks' letters.
type Suspicion struct {
	Square string             `json:"square"`
	Odds   map[string]float64 `json:"odds"`
}

// Explain implements Explainer.
func (p *searcher) Explain() (Explanation, bool) {
	if p.latest.view == nil {
		return Explanation{}, false
	}
	l := &p.latest
	e := Explanation{
		Move: luzhanqi.MoveName(l.move), Forced: l.search == nil, Time: l.took,
	}
	if p.style.beliefs { // else it was not used
		e.Possible, e.Belief = p.belief.Worlds(), suspicions(l.view, p.belief)
	}
	if err := p.belief.Trouble(); err != nil {
		e.Trouble = err.Error()
	}
	if l.search == nil {
		return e, true
	}
	e.Worlds, e.Nodes = len(l.search.worlds), l.search.played.Load()
	for i := range l.search.candidates {
		c := &l.search.candidates[i]
		e.Candidates = append(e.Candidates, Explained{
			Move: luzhanqi.MoveName(c.move), Visits: c.visits, Value: c.value(), Error: c.err(), Seen: c.seen,
		})
	}
	slices.SortStableFunc(e.Candidates, func(a, b Explained) int {
		switch {
		case a.Visits != b.Visits:
			return int(b.Visits - a.Visits)
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
	return e, true
}

func suspicions(v *luzhanqi.View, belief *hiddeninfo.Belief) (all []Suspicion) {
	marginals := belief.Marginals()
	for sq := range v.Enemy().All() {
		p, ok := belief.PieceAt(sq)
		if !ok {
			continue
		}
		s := Suspicion{Square: luzhanqi.SquareName(sq), Odds: map[string]float64{}}
		for _, rank := range luzhanqi.Ranks {
			if chance := marginals[p][rank]; chance > 0 {
				s.Odds[string(rank.Letter())] = chance
			}
		}
		all = append(all, s)
	}
	return all
}
