package chess1d

import "luzhanqi/game"

// View holds the facts that one side may know. Once both set-ups are laid open, that is everything. A program
// that is started anew knows of no moves played.
type View struct {
	*Position
	side game.Side
}

// NewView returns the view of a mover that sees a board and remembers nothing.
func NewView(b Board, mover game.Side, noMovesDraws bool) *View {
	return &View{NewPosition(b, mover, noMovesDraws), mover}
}

func (v *View) Side() game.Side { return v.side }

// Moves appends what the viewing side could play if it were its turn; nothing when the game is over.
func (v *View) Moves(dst []game.Move) []game.Move { return v.movesOf(v.side, dst) }

// Draw pictures the board as the side sees it: itself on the left, with small letters.
func (v *View) Draw(style game.DrawStyle) string {
	if v.side == game.Second {
		style = style.Turned(TurnMove)
	}
	b := v.board.InFrame(v.side)
	return b.draw(style, v.side)
}
