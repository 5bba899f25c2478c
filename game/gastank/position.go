package gastank

import "luzhanqi/game"

// Position is a game in progress: the board, whose turn it is, and the last move. It is a value.
type Position struct {
	game.Turn
	board Board
}

// NewPosition returns the initial position with player 1, playing up, to move.
func NewPosition() Position { return Position{board: Start()} }

// Board returns a copy of the board.
func (p Position) Board() Board { return p.board }

func (p Position) View(side game.Side) game.View     { return View{p, side} }
func (p Position) Moves(dst []game.Move) []game.Move { return p.board.Moves(p.Mover(), dst) }
func (p Position) Outcome() (game.Outcome, bool)     { return p.board.Outcome(p.Mover()) }
func (p Position) Play(m game.Move) game.Position    { return p.play(m) }

func (p Position) play(m game.Move) Position {
	p.board.Play(m) // p is a copy
	p.Turn = p.After(m)
	return p
}

func (p Position) Check(m game.Move) error {
	if outcome, over := p.Outcome(); over {
		return game.OverError(MoveName(m), outcome)
	}
	return p.board.Why(p.Mover(), m)
}
