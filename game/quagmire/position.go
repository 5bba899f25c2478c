package quagmire

import (
	"luzhanqi/game"
)

// Position is a game in progress. It is a value; Play leaves it as it was.
type Position struct {
	game.Ended
	board Board
	mover game.Side
	ply   int
	last  game.Move // the latest move, if ply > 0
}

// NewPosition is the start of a game.
func NewPosition() *Position { return &Position{board: Start()} }

// Board returns the board, which the caller may change: it is a copy.
func (p *Position) Board() Board { return p.board }

// Mover is the side whose turn it is.
func (p *Position) Mover() game.Side { return p.mover }

// Ply is the number of moves played.
func (p *Position) Ply() int { return p.ply }

// LastMove is the latest move; false before the first.
func (p *Position) LastMove() (game.Move, bool) { return p.last, p.ply > 0 }

// View is what a side may know: everything.
func (p *Position) View(side game.Side) game.View { return &View{side, p} }

// Moves appends the legal moves; there are none when the game is over.
func (p *Position) Moves(dst []game.Move) []game.Move { return p.movesOf(p.mover, dst) }

func (p *Position) movesOf(side game.Side, dst []game.Move) []game.Move {
	if p.Over() {
		return dst
	}
	return p.board.Moves(side, dst)
}

// Check says why m cannot be played: an *IllegalMove, or that the game is over.
func (p *Position) Check(m game.Move) error {
	if o, over := p.Outcome(); over {
		return game.OverError(MoveName(m), o)
	}
	return p.board.Why(p.mover, m)
}

// Play returns the position after the legal move m.
func (p *Position) Play(m game.Move) game.Position { return p.play(m) }

func (p *Position) play(m game.Move) *Position {
	next := &Position{board: p.board, mover: p.mover.Other(), ply: p.ply + 1, last: m}
	next.board.Play(m)
	if o, over := next.board.Outcome(p.mover); over {
		next.End(o)
	}
	return next
}
