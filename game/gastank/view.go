package gastank

import "luzhanqi/game"

// View is what one side may know of a game in progress: everything, since nothing is hidden. It is a
// value. Squares are in player 1's frame, whose side it is.
type View struct {
	position Position
	side     game.Side
}

// NewView is what side knows at the start of a game.
func NewView(side game.Side) View { return View{position: NewPosition(), side: side} }

// Side is the side whose view this is.
func (v View) Side() game.Side { return v.side }

// Mover is the side whose turn it is.
func (v View) Mover() game.Side { return v.position.mover }

// Ply is the number of moves played.
func (v View) Ply() int { return v.position.ply }

// Board returns a copy of the board.
func (v View) Board() Board { return v.position.board }

// LastMove is the move that was played last; false before the first.
func (v View) LastMove() (game.Move, bool) { return v.position.last, v.position.ply > 0 }

// Moves appends what the viewing side could play if it were its turn.
func (v View) Moves(dst []game.Move) []game.Move { return v.position.board.Moves(v.side, dst) }

// Outcome says how the game has ended, if it has.
func (v View) Outcome() (game.Outcome, bool) { return v.position.Outcome() }

// Check says why m cannot be played, with the squares' names in side's frame.
func (v View) Check(m game.Move, side game.Side) error {
	return game.ErrorInFrame(v.position.Check(m), side)
}

// Play returns the view after the legal move m.
func (v View) Play(m game.Move) View {
	v.position = v.position.play(m)
	return v
}
