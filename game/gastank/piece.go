package gastank

import (
	"fmt"
	"strings"

	"luzhanqi/game"
)

// Kind is the kind of a piece, which decides its moves.
type Kind uint8

// The kinds. None is an empty square.
const (
	None Kind = iota
	King
	Knight
	Bishop
	Queen
)

const letters = "-KNBQ"

func (k Kind) String() string {
	if k > Queen {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return [...]string{"nothing", "king", "knight", "bishop", "queen"}[k]
}

// FullTank is the gas of a piece at the start and after a capture, in moves.
const FullTank = 3

// ParseLetter reads a piece's letter: capitals are player 2's.
func ParseLetter(letter byte) (game.Side, Kind) {
	side := game.Second
	if letter >= 'a' {
		side, letter = game.First, letter-'a'+'A'
	}
	return side, Kind(max(0, strings.IndexByte(letters, letter)))
}
