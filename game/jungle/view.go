package jungle

import "luzhanqi/game"

// View is a position as one side sees it. Nothing is hidden in this game, so it holds all of it.
type View struct {
	position Position
	side     game.Side
	told     []game.Move // what the referee says are the moves, if that is not what the board says
}

// NewView is the view that side has of a position.
func NewView(side game.Side, p *Position) *View { return &View{position: *p, side: side & 1} }

// Side is the side whose view it is.
func (v *View) Side() game.Side { return v.side }

// Mover is the side whose turn it is.
func (v *View) Mover() game.Side { return v.position.mover }

// Board returns the board, which the caller may change: it is a copy.
func (v *View) Board() Board { return v.position.board }

// Ply is the number of moves played.
func (v *View) Ply() int { return v.position.ply }

// LastMove is the move that was played last, by whomever; false before the first.
func (v *View) LastMove() (game.Move, bool) { return v.position.LastMove() }

// Moves appends the moves that the side could play if it were its turn. A player must choose one
// of these: with a referee that plays by other rules they are not those of the board.
func (v *View) Moves(dst []game.Move) []game.Move {
	if v.told != nil {
		return append(dst, v.told...)
	}
	return v.position.movesOf(v.side, dst)
}
