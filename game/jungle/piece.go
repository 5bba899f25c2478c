package jungle

import (
	"fmt"
	"strings"

	"luzhanqi/game"
)

// Kind is one of the eight animals. Each side has one of each, and the order of the constants is
// that of the referee's list, by which the legal moves are sorted: not quite that of strength.
type Kind uint8

// The animals.
const (
	Elephant Kind = iota
	Lion
	Tiger
	Panther
	Wolf
	Dog
	Cat
	Rat
)

// Kinds is the number of animals of a side.
const Kinds = 8

const letters = "ELTPWDCR"

var (
	kindNames = [Kinds]string{"elephant", "lion", "tiger", "panther", "wolf", "dog", "cat", "rat"}
	chinese   = [Kinds]string{"象", "獅", "虎", "豹", "狼", "狗", "貓", "鼠"}
	strengths = [Kinds]int{8, 7, 6, 5, 3, 4, 2, 1}
)

// String returns the animal's name, such as "panther".
func (k Kind) String() string {
	if k >= Kinds {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// Strength is 8 for the elephant to 1 for the rat, off traps; 0 if k is no kind.
func (k Kind) Strength() int {
	if k >= Kinds {
		return 0
	}
	return strengths[k]
}

// Letter is the animal's letter in positions: a capital for red, a small one for blue.
func (k Kind) Letter(side game.Side) byte {
	letter := letters[k%Kinds]
	if side == game.Second {
		letter += 'a' - 'A'
	}
	return letter
}

// parseLetter reads what Letter writes.
func parseLetter(letter byte) (game.Side, Kind, error) {
	if n := strings.IndexByte(letters, letter); n >= 0 {
		return game.First, Kind(n), nil
	}
	if n := strings.IndexByte(strings.ToLower(letters), letter); n >= 0 {
		return game.Second, Kind(n), nil
	}
	return 0, 0, fmt.Errorf("piece %q: allowed are %s for red, %s for blue", letter, letters, strings.ToLower(letters))
}

// Color returns the name of a side in the conversation: "red" begins.
func Color(side game.Side) string { return [...]string{"red", "blue"}[side&1] }

func parseColor(text string) (game.Side, error) {
	switch text {
	case "red":
		return game.First, nil
	case "blue":
		return game.Second, nil
	}
	return 0, fmt.Errorf("color %.40q: allowed are red and blue", text)
}
