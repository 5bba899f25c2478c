package jungle

import "luzhanqi/game"

// View is a position as one side sees it. Nothing is hidden in this game, so it holds all of it.
type View struct {
	Position
	side game.Side
	told []game.Move // what the referee says are the moves, if that is not what the board says
}

// NewView is the view that side has of a position.
func NewView(side game.Side, p *Position) *View { return &View{Position: *p, side: side & 1} }

func (v *View) Side() game.Side { return v.side }

// Moves appends the moves that the side could play if it were its turn. A player must choose one
// of these: with a referee that plays by other rules they are not those of the board.
func (v *View) Moves(dst []game.Move) []game.Move {
	if v.told != nil {
		return append(dst, v.told...)
	}
	return v.movesOf(v.side, dst)
}
