package gastank

import (
	"errors"
	"fmt"

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
	Force: func(game.Position, game.Move) bool { return false },
}
