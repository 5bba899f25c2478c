package game

import "fmt"

// Ended is embedded in positions that keep how they ended. The zero value goes on.
type Ended struct{ outcome *Outcome }

// End ends the game.
func (e *Ended) End(o Outcome) { e.outcome = &o }

// Over says whether the game has ended.
func (e *Ended) Over() bool { return e.outcome != nil }

// Outcome says how the game has ended, if it has.
func (e *Ended) Outcome() (Outcome, bool) {
	if e.outcome == nil {
		return Outcome{}, false
	}
	return *e.outcome, true
}

// OverError is why no move is legal in a game that has ended, which move names.
func OverError(move string, o Outcome) error {
	return fmt.Errorf("%s: the game is over: %s", move, o.Reason)
}
