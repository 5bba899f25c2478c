package chess1d

import "luzhanqi/game"

// View is what one side may know. Once both set-ups are laid open, that is everything.
type View struct {
	position *Position
	side     game.Side
}

// NewView is what a mover knows who sees a board and remembers nothing.
func NewView(b Board, mover game.Side, noMovesDraws bool) *View {
	return &View{position: NewPosition(b, mover, noMovesDraws), side: mover}
}

// Side is the side whose view this is.
func (v *View) Side() game.Side { return v.side }

// Mover is the side whose turn it is.
func (v *View) Mover() game.Side { return v.position.mover }

// Ply is the number of moves known to have been played: none, for a program started anew.
func (v *View) Ply() int { return v.position.ply }

// Board is the board in player 1's frame; Board().InFrame(Side()) is the board as the side sees it.
func (v *View) Board() Board { return v.position.board }

// NoMovesDraws says whether the rule nomoves=draw holds.
func (v *View) NoMovesDraws() bool { return v.position.noMovesDraws }

// Seen is how often a board is known to have occurred with that side to move since the last capture,
// the present position included. The next one that makes it Repetitions ends the game.
func (v *View) Seen(b Board, mover game.Side) int { return v.position.seen.count(b, mover) }

// Moves appends what the viewing side could play if it were its turn; nothing when the game is over.
func (v *View) Moves(dst []game.Move) []game.Move {
	if v.position.Over() {
		return dst
	}
	return v.position.board.Moves(v.side, dst)
}

// Draw pictures the board as the side sees it: itself on the left, with small letters.
func (v *View) Draw(style game.DrawStyle) string {
	if v.side == game.Second && style.Last != nil {
		last := TurnMove(*style.Last)
		style.Last = &last
	}
	b := v.position.board.InFrame(v.side)
	return b.draw(style, v.side)
}
