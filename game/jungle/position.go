package jungle

import "luzhanqi/game"

// Position is a game in progress: the board, whose turn it is, and the last move. It is a value;
// Play leaves it as it was.
type Position struct {
	game.Turn
	board Board
}

// NewPosition is the position in which side is to move on a board, with no past.
func NewPosition(b Board, side game.Side) *Position {
	return &Position{Turn: game.Turn{}.Of(side), board: b}
}

// Board returns the board, which the caller may change: it is a copy.
func (p *Position) Board() Board { return p.board }

func (p *Position) View(side game.Side) game.View    { return NewView(side, p) }
func (p *Position) Draw(style game.DrawStyle) string { return p.board.draw(style) }

// Moves appends the legal moves in the referee's order.
func (p *Position) Moves(dst []game.Move) []game.Move { return p.movesOf(p.Mover(), dst) }

func (p *Position) movesOf(side game.Side, dst []game.Move) []game.Move {
	if _, won := p.board.Winner(); won {
		return dst
	}
	return p.board.Moves(side, dst)
}

func (p *Position) Check(m game.Move) error {
	if o, over := p.Outcome(); over {
		return game.OverError(MoveName(m), o)
	}
	return p.board.Check(p.Mover(), m)
}

func (p *Position) Play(m game.Move) game.Position { return p.play(m) }

func (p *Position) play(m game.Move) *Position {
	return &Position{Turn: p.After(m), board: p.board.Play(m)}
}

// Outcome says how the game has ended, if it has. That a game is drawn after so many moves is the
// referee's limit of plies, and not known here.
func (p *Position) Outcome() (game.Outcome, bool) {
	if winner, ok := p.board.Winner(); ok {
		return game.Won(winner, "den entered"), true
	}
	if !p.board.HasMove(p.Mover()) {
		return game.Won(p.Mover().Other(), "no legal moves"), true
	}
	return game.Outcome{}, false
}
