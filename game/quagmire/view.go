package quagmire

import "luzhanqi/game"

// View holds the facts that one side may know of a game: all of them.
type View struct {
	*Position
	side game.Side
}

func (v *View) Side() game.Side { return v.side }

// Moves appends what the viewing side could play if it were its turn; nothing when the game is over.
func (v *View) Moves(dst []game.Move) []game.Move { return v.movesOf(v.side, dst) }
