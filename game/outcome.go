package game

// Outcome is how a game ended by its own rules.
type Outcome struct {
	Draw   bool
	Winner Side   // meaningless in a draw
	Reason string // such as "flag captured"
}

// Won is the outcome in which side wins.
func Won(side Side, reason string) Outcome { return Outcome{Winner: side, Reason: reason} }

// Drawn is the outcome in which nobody wins.
func Drawn(reason string) Outcome { return Outcome{Draw: true, Reason: reason} }

// Points returns what the outcome is worth to side: 1, ½ or 0.
func (o Outcome) Points(side Side) float64 {
	switch {
	case o.Draw:
		return 0.5
	case o.Winner == side:
		return 1
	}
	return 0
}
