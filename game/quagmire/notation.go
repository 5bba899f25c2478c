package quagmire

import (
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
)

// mostSeparator bounds what may stand between the two squares of a move, in bytes.
const mostSeparator = 32

var (
	errMove  = errors.New("allowed are two squares from a1 to h8, such as c2 c4, c2-c4 or c2c4")
	errThree = errors.New("it names more than two squares; " + errMove.Error())
)

// ParseMove reads a move as a program writes it: two squares, small or capital, and between them
// nothing, blanks or signs, such as "c2 c4", "c2-c4", "c2c4" or "C2, C4". Blanks around it are passed over.
func ParseMove(text string) (game.Move, error) {
	m, between, err := squares(text)
	if err == nil && strings.ContainsFunc(between, notSign) {
		err = errMove
	}
	if err != nil {
		return game.Move{}, fmt.Errorf("move %s: %w", quoted(text), err)
	}
	return m, nil
}

// notSign is true for what cannot stand between squares in the protocol: letters, digits, control
// codes and all beyond ASCII.
func notSign(r rune) bool {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return true
	}
	return r != '\t' && (r < ' ' || r > '~')
}

// ReadMove reads a move as a person types it: a square, any separator of up to 32 bytes, words too,
// and a square, such as "c2 c4", "C2xC4" or "c2 to c4". Only a third square is refused, since it would
// be a guess which two are meant.
func ReadMove(text string) (game.Move, error) {
	m, between, err := squares(text)
	if err == nil && namesSquare(between) {
		err = errThree
	}
	if err != nil {
		return game.Move{}, fmt.Errorf("%s: %w", quoted(strings.TrimSpace(text)), err)
	}
	return m, nil
}

// squares reads the first and the last two bytes as squares, and returns what stands between them.
func squares(text string) (m game.Move, between string, err error) {
	text = strings.TrimSpace(text)
	end := len(text) - 2
	if end < 2 || end > 2+mostSeparator {
		return m, "", errMove
	}
	from, ok := squareAt(text[0], text[1])
	to, okToo := squareAt(text[end], text[end+1])
	if !ok || !okToo {
		return m, "", errMove
	}
	return game.Move{From: from, To: to}, text[2:end], nil
}

func namesSquare(text string) bool {
	for i := 1; i < len(text); i++ {
		if _, ok := squareAt(text[i-1], text[i]); ok {
			return true
		}
	}
	return false
}
