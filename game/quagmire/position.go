package quagmire

import "luzhanqi/game"

// Position is a game in progress. It is a value; Play leaves it as it was.
type Position struct {
	game.Turn
	game.Ended
	board Board
}

// NewPosition is the start of a game.
func NewPosition() *Position { return &Position{board: Start()} }

// Board returns the board, which the caller may change: it is a copy.
func (p *Position) Board() Board { return p.board }

func (p *Position) View(side game.Side) game.View     { return &View{p, side} }
func (p *Position) Moves(dst []game.Move) []game.Move { return p.movesOf(p.Mover(), dst) }
func (p *Position) Draw(style game.DrawStyle) string  { return p.board.Draw(style) }

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
	next := &Position{Turn: p.After(m), board: p.board}
	next.board.Play(m)
	if o, over := next.board.Outcome(p.Mover()); over {
		next.End(o)
	}
	return next
}
