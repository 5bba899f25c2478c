package tablebase

import (
	"fmt"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// army is a choice of letters, one of each pair: a bit for each pair, the lowest for footman and
// coward, set for the second letter of the pair, which is the reversed piece.
type army uint8

// armies is the number of choices.
const armies = 16

// The four places of an army. A footman, coward, king or queen only ever goes one way; only horses,
// spiders, archers and tricksters can come back to where they were.
const (
	pawn = iota
	horse
	archer
	royal
	places
)

// off is the square of a piece that was captured.
const off = 15

// letter is the letter in a place, small.
func (a army) letter(place int) byte { return chess1d.Letters[2*place+int(a>>place&1)] }

// String is the four letters, such as "fhak".
func (a army) String() string {
	var text [places]byte
	for place := range text {
		text[place] = a.letter(place)
	}
	return string(text[:])
}

// reversed says whether the piece in a place is the reversed one.
func (a army) reversed(place int) bool { return a>>place&1 != 0 }

// squares are where eight pieces stand, those of the first army before those of the second.
type squares [2 * places]uint8

// matchup is the letters of both armies. The first goes right, the second left.
type matchup [2]army

func (m matchup) String() string { return m[0].String() + "-" + m[1].String() }

// reach is where a piece in a place of a side can go, by square; nothing for a captured one.
type reach [off + 1]steps

type steps struct{ moves, captures uint16 }

// reaches returns the reach of every piece of a matchup.
func (m matchup) reaches() (all [2 * places]reach) {
	for piece := range all {
		letter := m[piece/places].letter(piece % places)
		if piece >= places {
			letter -= 'a' - 'A'
		}
		for sq := range chess1d.Size {
			moves, captures := chess1d.Reach(letter, game.Square(sq))
			all[piece][sq].moves, all[piece][sq].captures = uint16(moves), uint16(captures)
		}
	}
	return all
}

// place reads a board as the side to move first sees it, with small letters for the first army. Pieces
// that are not on the board are counted as captured, and their letter is then of no consequence.
func place(b chess1d.Board) (m matchup, at squares, err error) {
	for piece := range at {
		at[piece] = off
	}
	for sq, letter := range b {
		if letter == ' ' {
			continue
		}
		side := 0
		if letter < 'a' {
			side, letter = 1, letter+'a'-'A'
		}
		found := false
		for place := range places {
			for reversed := range 2 {
				if chess1d.Letters[2*place+reversed] == letter {
					at[side*places+place] = uint8(sq)
					m[side] |= army(reversed << place)
					found = true
				}
			}
		}
		if !found {
			return m, at, fmt.Errorf("board %q: square %d holds %q", b, sq, letter)
		}
	}
	return m, at, nil
}
