package quagmire

import (
	"errors"
	"fmt"

	"luzhanqi/game"
)

// maxLine is far above the longest line of either end, in bytes.
const maxLine = 1 << 10

var errAnswer = errors.New("allowed is one move a line, such as c2 c4, c2-c4 or c2c4, or resign")

// plain is the line dialogue. README.md has an example.
var plain = &game.LineDialogue{
	Game:    Game{},
	About:   "lines of text: O or X, then the opponent's moves such as c2 c4, each answered with a move",
	Sides:   [2]string{"O", "X"},
	Parse:   ParseMove,
	MaxLine: maxLine,
	TooLong: fmt.Errorf("a line of more than %d bytes; %w", maxLine, errAnswer),
	Refusal: func(error) error { return errAnswer },
	Force: func(pos game.Position, m game.Move) bool {
		b := pos.(*Position).Board()
		return b.passable(pos.Mover(), m)
	},
}
