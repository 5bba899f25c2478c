package gastank

import (
	"luzhanqi/game"
)

// Position is a game in progress: the board, whose turn it is, and the last move. It is a value.
type Position struct {
	board Board
	mover game.Side
	ply   int
	last  game.Move // when ply is not zero
}

var _ game.Position = Position{}

// NewPosition is the initial position with player 1, who plays up, to move.
func NewPosition() Position { return Position{board: Start()} }

// Board returns a copy of the board.
func (p Position) Board() Board { return p.board }

// Mover is the side whose turn it is.
func (p Position) Mover() game.Side { return p.mover }

// Ply is the number of moves played.
func (p Position) Ply() int { return p.ply }

// Moves appends the legal moves; there are none when the game is over.
func (p Position) Moves(dst []game.Move) []game.Move { return p.board.Moves(p.mover, dst) }

// Check says why m cannot be played: an *IllegalMove, or that the game is over.
func (p Position) Check(m game.Move) error {
	if outcome, over := p.Outcome(); over {
		return game.OverError(MoveName(m), outcome)
	}
	return p.board.Why(p.mover, m)
}

// Play returns the position after the legal move m.
func (p Position) Play(m game.Move) game.Position { return p.play(m) }

func (p Position) play(m game.Move) Position {
	p.board.Play(m) // p is a copy
	p.mover, p.ply, p.last = p.mover.Other(), p.ply+1, m
	return p
}

// Outcome says how the game has ended, if it has.
func (p Position) Outcome() (game.Outcome, bool) { return p.board.Outcome(p.mover) }

// View is what a side may know: everything.
func (p Position) View(side game.Side) game.View { return View{position: p, side: side} }

var _ game.View = View{}
