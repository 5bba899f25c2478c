package gastank

import "luzhanqi/game"

// View holds the facts that one side may know of a game in progress: all, since nothing is hidden. It is a
// value. Squares are in player 1's frame, whose side it is.
type View struct {
	Position
	side game.Side
}

// NewView returns side's view at the start of a game.
func NewView(side game.Side) View { return View{NewPosition(), side} }

func (v View) Side() game.Side { return v.side }

// Moves appends what the viewing side could play if it were its turn.
func (v View) Moves(dst []game.Move) []game.Move { return v.board.Moves(v.side, dst) }

// Next returns the view after the legal move m.
func (v View) Next(m game.Move) View { return View{v.play(m), v.side} }
