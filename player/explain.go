package player

import "time"

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
