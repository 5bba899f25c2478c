package quagmire

import (
	"fmt"

	"luzhanqi/game"
	"luzhanqi/text"
)

// Letter is the piece of a side: O moves first.
func Letter(side game.Side) byte { return "OX"[side&1] }

// ParseSide reads O or X.
func ParseSide(s string) (game.Side, error) {
	switch s {
	case "O":
		return game.First, nil
	case "X":
		return game.Second, nil
	}
	return 0, fmt.Errorf("side %s: allowed are O and X", text.Quote(s, 40))
}
