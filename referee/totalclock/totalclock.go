// Package totalclock is the clock of a side that has one time for all its moves of a game, and an increment for each.
package totalclock

import "time"

// Clock is one side's. It is in whole microseconds, as records are, so that a record is judged by the same numbers.
type Clock struct{ left, increment time.Duration }

// New begins a game.
func New(total, increment time.Duration) *Clock { return &Clock{total, increment} }

// Left is what the side has for its next move, at most.
func (c *Clock) Left() time.Duration { return c.left }

// Moved takes off what a move took, and adds the increment. What a move took beyond what was left was grace, and costs nothing more.
func (c *Clock) Moved(took time.Duration) {
	c.left = max(0, c.left-took.Truncate(time.Microsecond)) + c.increment
}

// moves is how many more moves a player plans for: games go on for longer than they seem to, and an increment carries what is beyond.
const moves = 30

// Budget is what a player that plans move by move should take of it: an equal share, and most of the increment, but never more than
// half of what is left beyond one move of its own.
func (c *Clock) Budget() time.Duration {
	return max(min(c.left/moves+c.increment*4/5, c.left/2), time.Millisecond)
}
