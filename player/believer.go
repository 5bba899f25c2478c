package player

import "luzhanqi/game"

// Believer follows one side of one game by its views, and says what the enemy's hidden pieces can be. It knows what that
// side may know.
type Believer interface {
	// Kinds are what a hidden piece can be.
	Kinds() []Kind
	// Saw takes in the next view, the initial one at first.
	Saw(v game.View)
	// Odds are of every enemy piece that stands. Opinion: not by what was observed alone, but also by how players
	// set up and move.
	Odds(opinion bool) []Odds
	// Bits is how much the side does not know by what was observed: the binary logarithm of the number of possible worlds.
	Bits() float64
}

// Kind is a kind of pieces.
type Kind struct {
	Letter string `json:"letter"`
	Name   string `json:"name"`
}

// Odds are how likely a piece is of each kind, in the order of [Believer.Kinds].
type Odds struct {
	Square game.Square
	Of     []float64
}
