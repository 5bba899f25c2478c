package gastank

import (
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
)

// MaxLine bounds a line: 60 blanks may surround a move.
const MaxLine = 64

// ErrLongLine refuses a longer one.
var ErrLongLine = errors.New("an answer is a line of at most 64 bytes, such as A3D6")

// Plain is the line dialogue; each program sees itself as the lower side.
var Plain = &game.LineDialogue{
	Game:    Game{},
	About:   `lines: "first" or "second", then one move a line, such as A3D6; each program sees itself below`,
	Sides:   [2]string{"first", "second"},
	Parse:   ParseTypedMove,
	MaxLine: MaxLine,
	TooLong: ErrLongLine,
	Refusal: func(err error) error {
		return fmt.Errorf("%w; an answer is one move a line, or resign; other output belongs on standard error", err)
	},
	Force:          func(game.Position, game.Move) bool { return false },
	FormatPosition: func(p game.Position, side game.Side) string { return formatPlace(p.(Position), side) },
	ParsePosition:  parsePlace,
}

// formatPlace writes who is to move and the board, both as the program that plays side sees them: lower is itself.
func formatPlace(p Position, side game.Side) string {
	mover := p.Mover()
	if side == game.Second {
		mover, p.board = mover.Other(), p.board.Mirror()
	}
	return sideNames[mover] + " " + p.board.String()
}

// parsePlace reads it.
func parsePlace(line string, side game.Side) (game.Position, error) {
	mover, board, _ := strings.Cut(line, " ")
	b, toMove, err := placed(board, mover)
	if err != nil {
		return nil, err
	}
	if side == game.Second {
		b, toMove = b.Mirror(), toMove.Other()
	}
	return Position{Turn: game.Turn{}.Of(toMove), board: b}, nil
}
