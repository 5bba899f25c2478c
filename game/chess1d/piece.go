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

// leaps are the distances at which the upright piece of a pair moves to an empty square and at which
// it captures, forward being positive. The reversed piece has the same backward.
var leaps = [pairs]struct{ moves, captures []int }{
	{moves: []int{1}, captures: []int{2}},         // footman
	{moves: []int{2, 3, -1}, captures: []int{-1}}, // horse
	{moves: []int{1, -2}, captures: []int{4}},     // archer: the text counts, not the collapsed diagram
	{moves: []int{-1}, captures: []int{-1}},       // king
}

// targets are the squares that a piece of a kind and side, standing on a square, can reach.
type targets struct{ moves, captures Squares }

const noPiece = 0xff

var (
	pieceCodes = makePieceCodes() // by letter: kind + 8·side
	targetsOf  = makeTargets()    // by kind + 8·side, then square
)

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

func makeTargets() (table [16][Size]targets) {
	for code := range table {
		direction := 1
		if code&1 != 0 {
			direction = -direction // reversed
		}
		if code&8 != 0 {
			direction = -direction // player 2 marches towards square 0
		}
		piece := leaps[code&7/2]
		for sq := range table[code] {
			reach := func(distances []int) (set Squares) {
				for _, d := range distances {
					if to := sq + direction*d; to >= 0 && to < Size {
						set |= Bit(game.Square(to))
					}
				}
				return set
			}
			table[code][sq] = targets{reach(piece.moves), reach(piece.captures)}
		}
	}
	return table
}

// Reach returns the squares to which a piece can move if they are empty, and those on which it can
// capture; letter is a small one for player 1, a capital for player 2. A blank reaches nothing.
func Reach(letter byte, sq game.Square) (moves, captures Squares) {
	code := pieceCodes[letter]
	if code == noPiece || sq >= Size {
		return 0, 0
	}
	t := &targetsOf[code][sq]
	return t.moves, t.captures
}

// swapCase turns a piece into the same piece of the other side.
func swapCase(letter byte) byte {
	if letter == ' ' {
		return letter
	}
	return letter ^ 0x20
}
