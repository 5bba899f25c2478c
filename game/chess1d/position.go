package chess1d

import (
	"luzhanqi/game"
)

// Repetitions is how often the same position with the same side to move ends the game.
const Repetitions = 3

// Position is a game in progress: the board, whose turn it is, and what the rules remember. It is a
// value; Play leaves it as it was.
type Position struct {
	game.Ended
	board        Board
	mover        game.Side
	ply          int
	noMovesDraws bool
	seen         *occurrence
}

// occurrence is a position since the last capture, in a list that grows at its head, so that
// positions share what they have in common. A capture begins a new list.
type occurrence struct {
	board  Board
	mover  game.Side
	times  int
	before *occurrence
}

// count returns how often a position has occurred.
func (o *occurrence) count(b Board, mover game.Side) int {
	for ; o != nil; o = o.before {
		if o.mover == mover && o.board == b {
			return o.times // the latest has counted all before it
		}
	}
	return 0
}

func (o *occurrence) add(b Board, mover game.Side) *occurrence {
	return &occurrence{board: b, mover: mover, times: o.count(b, mover) + 1, before: o}
}

// NewPosition is a position without a past.
func NewPosition(b Board, mover game.Side, noMovesDraws bool) *Position {
	p := &Position{board: b, mover: mover, noMovesDraws: noMovesDraws}
	p.seen = p.seen.add(b, mover)
	p.mustMove()
	return p
}

// Board returns the board in player 1's frame; it is a copy.
func (p *Position) Board() Board { return p.board }

// Mover is the side whose turn it is.
func (p *Position) Mover() game.Side { return p.mover }

// Ply is the number of moves played.
func (p *Position) Ply() int { return p.ply }

// WithoutPast is the position as if no earlier one had occurred; see game.Perft.
func (p *Position) WithoutPast() game.Position {
	fresh := *p
	fresh.seen = nil
	return &fresh
}

// View is what a side may know.
func (p *Position) View(side game.Side) game.View { return &View{position: p, side: side} }

// Moves appends the legal moves; there are none when the game is over.
func (p *Position) Moves(dst []game.Move) []game.Move {
	if p.Over() {
		return dst
	}
	return p.board.Moves(p.mover, dst)
}

// Check says why m cannot be played: an *IllegalMove, or that the game is over.
func (p *Position) Check(m game.Move) error {
	if o, over := p.Outcome(); over {
		return game.OverError(MoveName(m), o)
	}
	return p.board.Why(p.mover, m)
}

// Play returns the position after the legal move m.
func (p *Position) Play(m game.Move) game.Position {
	next := &Position{board: p.board, mover: p.mover.Other(), ply: p.ply + 1, noMovesDraws: p.noMovesDraws}
	captured, royal := next.board.Play(m)
	if royal {
		next.End(game.Won(p.mover, "royal piece captured"))
		return next
	}
	if !captured {
		next.seen = p.seen
	}
	next.seen = next.seen.add(next.board, next.mover)
	next.mustMove()
	if !next.Over() && next.seen.times >= Repetitions {
		next.End(game.Drawn("repetition"))
	}
	return next
}

// mustMove ends the game when the side to move cannot, or has lost its royal piece before.
func (p *Position) mustMove() {
	switch {
	case !p.board.HasRoyal(p.mover):
		p.End(game.Won(p.mover.Other(), "royal piece captured"))
	case !p.board.HasRoyal(p.mover.Other()):
		p.End(game.Won(p.mover, "royal piece captured"))
	case len(p.board.Moves(p.mover, make([]game.Move, 0, 16))) > 0:
	case p.noMovesDraws:
		p.End(game.Drawn("no legal moves"))
	default:
		p.End(game.Won(p.mover.Other(), "no legal moves"))
	}
}
