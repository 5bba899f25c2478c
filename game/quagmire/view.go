package quagmire

import "luzhanqi/game"

// View is what one side may know of a game, which is all of it.
type View struct {
	side     game.Side
	position *Position
}

// Side is the side whose view this is.
func (v *View) Side() game.Side { return v.side }

// Mover is the side whose turn it is.
func (v *View) Mover() game.Side { return v.position.mover }

// Ply is the number of moves played.
func (v *View) Ply() int { return v.position.ply }

// Board returns the board, which the caller may change: it is a copy.
func (v *View) Board() Board { return v.position.board }

// LastMove is the latest move; false before the first.
func (v *View) LastMove() (game.Move, bool) { return v.position.LastMove() }

// Outcome says how the game has ended, if it has.
func (v *View) Outcome() (game.Outcome, bool) { return v.position.Outcome() }

// Moves appends what the viewing side could play if it were its turn; nothing when the game is over.
func (v *View) Moves(dst []game.Move) []game.Move { return v.position.movesOf(v.side, dst) }
