package quagmire

import (
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/text"
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
	FormatPosition: formatPlace,
	ParsePosition:  parsePlace,
}

// none stands for the square of a last move where there is none.
const none = "-"

// formatPlace writes who is to move, the board, and where the pieces stand that O and X moved last.
func formatPlace(pos game.Position, _ game.Side) string {
	p := pos.(*Position)
	words := []string{string(Letter(p.Mover())), p.board.String(), none, none}
	for side := range game.Side(2) {
		if sq := p.board.Last(side); sq != NoSquare {
			words[2+side] = SquareName(sq)
		}
	}
	return strings.Join(words, " ")
}

// parsePlace reads it.
func parsePlace(line string, _ game.Side) (game.Position, error) {
	words := strings.Fields(line)
	if len(words) != 4 {
		return nil, fmt.Errorf("%s: allowed are who is to move, the board, and the squares of the last moves, - for none", text.Quote(line, 120))
	}
	var moved [2]*string
	for side := range moved {
		if words[2+side] != none {
			moved[side] = &words[2+side]
		}
	}
	b, side, err := placed(words[1], words[0], moved)
	if err != nil {
		return nil, err
	}
	return begin(b, side), nil
}
