package referee

import (
	"fmt"

	"luzhanqi/game"
)

// Conditions are what a game is played under: the same for both sides, for each game of a match or a
// tournament, and on record.
type Conditions struct {
	Game    game.Game
	Rules   game.Rules
	Retries int // how many illegal moves in one turn may be taken back; the clock runs on
	Limits  game.Limits
}

// LimitsOf are those of an entrant.
func (c *Conditions) LimitsOf(e *Entrant) game.Limits {
	if e.Limits != nil {
		return *e.Limits
	}
	return c.Limits
}

// Outcome adds the cap of plies to the rules of the game.
func (c *Conditions) Outcome(pos game.Position) (game.Outcome, bool) {
	outcome, over := pos.Outcome()
	if !over && c.Limits.MaxPlies > 0 && pos.Ply() >= c.Limits.MaxPlies {
		return game.Drawn(fmt.Sprintf("cap of %d plies reached", c.Limits.MaxPlies)), true
	}
	return outcome, over
}
