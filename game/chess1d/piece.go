package chess1d

import "luzhanqi/game"

// Letters are the pieces as their owner writes them; the enemy's are capitals. Each pair stands for
// one piece that goes one way or, reversed, the other, and an army has one of each pair.
const Letters = "fchsatkq"

// kind is a place in Letters: kinds 2n and 2n+1 are a pair.
type kind uint8

const (
	pairs     = len(Letters) / 2
	firstKing = kind(len(Letters) - 2) // from here on, kinds are royal
)

var names = [len(Letters)]string{"footman", "coward", "horse", "spider", "archer", "trickster", "king", "queen"}

func (k kind) royal() bool { return k >= firstKing }

// kindOf returns the kind and the owner of a letter; not ok: it is a blank, or no piece.
func kindOf(letter byte) (k kind, side game.Side, ok bool) {
	code := pieceCodes[letter]
	return kind(code & 7), game.Side(code >> 3 & 1), code != noPiece
}

const noPiece = 0xff

func makePieceCodes() (codes [256]uint8) {
	for letter := range codes {
		codes[letter] = noPiece
	}
	for k := range len(Letters) {
		codes[Letters[k]] = uint8(k)
		codes[swapCase(Letters[k])] = uint8(k | 8)
	}
	return codes
}

// swapCase turns a piece into the same piece of the other side.
func swapCase(letter byte) byte {
	if letter == ' ' {
		return letter
	}
	return letter ^ 0x20
}
