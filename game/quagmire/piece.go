package quagmire

import (
	"fmt"

	"luzhanqi/game"
)

// Letter is the piece of a side: O moves first.
func Letter(side game.Side) byte { return "OX"[side&1] }

// ParseSide reads O or X.
func ParseSide(text string) (game.Side, error) {
	switch text {
	case "O":
		return game.First, nil
	case "X":
		return game.Second, nil
	}
	return 0, fmt.Errorf("side %s: allowed are O and X", quoted(text))
}
