package quagmire

import (
	"fmt"

	"luzhanqi/game"
)

// What people at a terminal read besides the board. The game's author asks for a falsy value after an
// illegal move, and for the winner's piece and a truthy value at the end: each stands on a line of its own.

// TurnLine says in a line whose turn it is, which pieces in Quagmire must move first, and which
// piece may not move again.
func TurnLine(b *Board, mover game.Side) string {
	line := fmt.Sprintf("%c to move", Letter(mover))
	if stuck := b.mustMove(mover); stuck != 0 {
		line += ", out of Quagmire first: " + either(stuck.names())
	} else if last := b.Last(mover); last != NoSquare {
		line += ", but not " + SquareName(last) + " again"
	}
	return line + "\n"
}

// Refusal answers a move that cannot be read or played: 0, and on the next line why.
func Refusal(why error) string { return fmt.Sprintf("0\n%v\n", why) }

// Announce tells, below the last board, who has won and why, then 1: the winner's piece alone on its
// line. A draw has no winner's line.
func Announce(o game.Outcome) string {
	if o.Draw {
		return fmt.Sprintf("draw: %s\n1\n", o.Reason)
	}
	return fmt.Sprintf("%s\n%c\n1\n", o.Reason, Letter(o.Winner))
}
