package game

import "fmt"

// Turn is embedded in positions: whose turn it is after how many moves, and the last of them.
type Turn struct {
	mover Side
	ply   int
	last  Move // if ply > 0
}

// Of is the same turn with side to move.
func (t Turn) Of(side Side) Turn { return Turn{side & 1, t.ply, t.last} }

// After is the turn after the mover's move m.
func (t Turn) After(m Move) Turn { return Turn{t.mover.Other(), t.ply + 1, m} }

func (t Turn) Mover() Side { return t.mover }
func (t Turn) Ply() int    { return t.ply }

// LastMove is the latest move; false before the first.
func (t Turn) LastMove() (Move, bool) { return t.last, t.ply > 0 }

// Ended is embedded in positions that keep how they ended. The zero value goes on.
type Ended struct{ outcome *Outcome }

// End ends the game.
func (e *Ended) End(o Outcome) { e.outcome = &o }

// Over says whether the game has ended.
func (e *Ended) Over() bool { return e.outcome != nil }

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
