package chess1d

import "luzhanqi/game"

// Repetitions is how often the same position with the same side to move ends the game.
const Repetitions = 3

// Position is a game in progress: the board, whose turn it is, and what the rules remember. It is a
// value; Play leaves it as it was.
type Position struct {
	game.Turn
	game.Ended
	board        Board
	noMovesDraws bool
	seen         game.Repetition[occurrence] // since the last capture
}

// occurrence holds the facts that are equal in a repetition.
type occurrence struct {
	board Board
	mover game.Side
}

// NewPosition is a position without a past.
func NewPosition(b Board, mover game.Side, noMovesDraws bool) *Position {
	p := &Position{Turn: game.Turn{}.Of(mover), board: b, noMovesDraws: noMovesDraws}
	p.occurs()
	return p
}

// Board returns the board in player 1's frame, a copy; Board().InFrame(side) is the board as a side sees it.
func (p *Position) Board() Board { return p.board }

// NoMovesDraws says whether the rule nomoves=draw holds.
func (p *Position) NoMovesDraws() bool { return p.noMovesDraws }

// WithoutPast is the position as if no earlier one had occurred; see game.Perft.
func (p *Position) WithoutPast() game.Position {
	fresh := *p
	fresh.seen = game.Repetition[occurrence]{}
	return &fresh
}

func (p *Position) View(side game.Side) game.View     { return &View{p, side} }
func (p *Position) Moves(dst []game.Move) []game.Move { return p.movesOf(p.Mover(), dst) }

func (p *Position) movesOf(side game.Side, dst []game.Move) []game.Move {
	if p.Over() {
		return dst
	}
	return p.board.Moves(side, dst)
}

func (p *Position) Check(m game.Move) error {
	if o, over := p.Outcome(); over {
		return game.OverError(MoveName(m), o)
	}
	return p.board.Why(p.Mover(), m)
}

func (p *Position) Play(m game.Move) game.Position {
	next := &Position{Turn: p.After(m), board: p.board, noMovesDraws: p.noMovesDraws}
	if captured, _ := next.board.Play(m); !captured {
		next.seen = p.seen
	}
	next.occurs()
	return next
}

// occurs counts the position, and ends the game when the side to move cannot, or when either has lost its
// royal piece.
func (p *Position) occurs() {
	mover, other := p.Mover(), p.Mover().Other()
	times := p.seen.Add(occurrence{p.board, mover}, 0)
	switch {
	case !p.board.HasRoyal(mover):
		p.End(game.Won(other, "royal piece captured"))
	case !p.board.HasRoyal(other):
		p.End(game.Won(mover, "royal piece captured"))
	case p.noMovesDraws && !p.board.hasMove(mover):
		p.End(game.Drawn("no legal moves"))
	case !p.board.hasMove(mover):
		p.End(game.Won(other, "no legal moves"))
	case times >= Repetitions:
		p.End(game.Drawn("repetition"))
	}
}
