package referee

import (
	"fmt"
	"slices"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee/adjudication"
)

// The bounds of a time limit. A grace, and the time for starting, may be zero, too.
const (
	MinLimit = time.Millisecond
	MaxLimit = 24 * time.Hour
)

// Conditions are what a game is played under: the same for both sides, for each game of a match or a
// tournament, and on record.
type Conditions struct {
	Game    game.Game
	Rules   game.Rules
	Retries int // how many illegal moves in one turn may be taken back; the clock runs on
	Limits  game.Limits
	// Adjudication ends games whose result is clear; nil: none is.
	Adjudication *adjudication.Rule
}

// LimitsOf are those of an entrant.
func (c *Conditions) LimitsOf(e *Entrant) game.Limits {
	if e.Limits != nil {
		return *e.Limits
	}
	return c.Limits
}

// CheckTotal says why an entrant cannot play by a total clock, if there is one.
func (c *Conditions) CheckTotal(e *Entrant) error {
	switch {
	case c.LimitsOf(e).Total == 0 || e.Level != nil:
		return nil
	case e.Person:
		return fmt.Errorf("total clock: no clock runs for %s, a person", e.Name)
	}
	return fmt.Errorf("total clock: %s is a program, and dialect %s has no word for what is left of its time; allowed are built-in levels", e.Name, e.Protocol.Name())
}

// Outcome adds the cap of plies to the rules of the game.
func (c *Conditions) Outcome(pos game.Position) (game.Outcome, bool) {
	outcome, over := pos.Outcome()
	if !over && c.Limits.MaxPlies > 0 && pos.Ply() >= c.Limits.MaxPlies {
		return game.Drawn(fmt.Sprintf("cap of %d plies reached", c.Limits.MaxPlies)), true
	}
	return outcome, over
}

// OwnRules are the rules that concern the referee of any game.
var OwnRules = []game.Option{{
	Name: "illegal", Allowed: []string{"lose", "retry:N"},
	Help: "what an illegal move costs: the game, or only time for up to N in one turn",
}}

// SetRules reads the rules of the game and of the referee, as they are written on a command line or in a file.
func (c *Conditions) SetRules(text string) error {
	rules, err := game.ParseRules(text, slices.Concat(c.Game.Options(), OwnRules))
	c.Retries = rules.Count("illegal", "retry")
	delete(rules, "illegal")
	c.Rules = rules
	return err
}
