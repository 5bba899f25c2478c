package jungle

import (
	"luzhanqi/game"
)

// Position is a game in progress: the board, whose turn it is, and the last move. It is a value;
// Play leaves it as it was.
type Position struct {
	board Board
	mover game.Side
	ply   int
	last  game.Move
	moved bool // last was played
}

// NewPosition is the position in which side is to move on a board, with no past.
func NewPosition(b Board, side game.Side) *Position { return &Position{board: b, mover: side & 1} }

// Board returns the board, which the caller may change: it is a copy.
func (p *Position) Board() Board { return p.board }

// Mover is the side whose turn it is.
func (p *Position) Mover() game.Side { return p.mover }

// Ply is the number of moves played.
func (p *Position) Ply() int { return p.ply }

// LastMove is the opponent's last move; false before the first.
func (p *Position) LastMove() (game.Move, bool) { return p.last, p.moved }

// Moves appends the legal moves in the referee's order; there are none when the game is over.
func (p *Position) Moves(dst []game.Move) []game.Move { return p.movesOf(p.mover, dst) }

func (p *Position) movesOf(side game.Side, dst []game.Move) []game.Move {
	if _, won := p.board.Winner(); won {
		return dst
	}
	return p.board.Moves(side, dst)
}

// Check says why m cannot be played: an *IllegalMove, or that the game is over.
func (p *Position) Check(m game.Move) error {
	if o, over := p.Outcome(); over {
		return game.OverError(MoveName(m), o)
	}
	return p.board.Check(p.mover, m)
}

// Play returns the position after the legal move m.
func (p *Position) Play(m game.Move) game.Position { return p.play(m) }

func (p *Position) play(m game.Move) *Position {
	return &Position{board: p.board.Play(m), mover: p.mover.Other(), ply: p.ply + 1, last: m, moved: true}
}

// Outcome says how the game has ended, if it has. That a game is drawn after so many moves is the
// referee's limit of plies, and not known here.
func (p *Position) Outcome() (game.Outcome, bool) {
	if winner, ok := p.board.Winner(); ok {
		return game.Won(winner, "den entered"), true
	}
	if !p.board.HasMove(p.mover) {
		return game.Won(p.mover.Other(), "no legal moves"), true
	}
	return game.Outcome{}, false
}

// View is what a side may know: everything.
func (p *Position) View(side game.Side) game.View { return NewView(side, p) }
