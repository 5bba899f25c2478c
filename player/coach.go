package player

import "luzhanqi/game"

// Coach says to a person who plays one side of one game what a board alone does not show. It knows what the person may
// know, which is what is in the views, and remembers what it has seen.
type Coach interface {
	// Saw takes in the view after each move, in their order, and says in words what happened; "": the board says it.
	Saw(v game.View) string
	// Beside are lines to stand to the right of the board, of at most 24 columns.
	Beside(v game.View) []string
	// About says what the hidden pieces on the squares that a person has typed can still be, or all of them if none was.
	About(typed string, v game.View) (string, error)
	// Sketch is a set-up in a few short lines, for people who choose one.
	Sketch(s game.SetUp) []string
}
