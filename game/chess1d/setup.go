package chess1d

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"luzhanqi/game"
)

// Own is the number of squares on which a side may place its pieces: 0 to 5 as it sees them.
const Own = 6

// SetUp is one side's legal initial arrangement in its own frame: the squares 0 to 5 from left to
// right. Only ParseSetUp, RandomSetUp and SetUps make one; the zero value stands for "none yet".
type SetUp struct{ squares [Own]byte }

// IllegalSetUp is everything that is wrong with a proposed set-up.
type IllegalSetUp struct {
	Problems []string // at least one
}

func (e *IllegalSetUp) Error() string { return "illegal set-up: " + strings.Join(e.Problems, "; ") }

// ParseSetUp reads exactly six characters. The error is an *IllegalSetUp, which lists every problem.
func ParseSetUp(text string) (SetUp, error) {
	var problems []string
	if n := utf8.RuneCountInString(text); n != Own {
		problems = append(problems, fmt.Sprintf("%.40q has %d characters, must have %d (blanks are squares)", text, n, Own))
	}
	var s SetUp
	var found [pairs]string
	n := 0
	for _, letter := range text {
		if n == Own {
			break
		}
		k, side, ok := kindOf(byte(min(letter, utf8.RuneSelf))) // which is no piece
		switch {
		case letter == ' ':
		case !ok:
			problems = append(problems, fmt.Sprintf("square %d holds %q: allowed are %s and blank", n, letter, Letters))
		case side != game.First:
			problems = append(problems, fmt.Sprintf("square %d holds %c: own pieces are small letters", n, letter))
		default:
			found[k/2] += string(letter)
		}
		s.squares[n] = byte(letter)
		n++
	}
	for pair, letters := range found {
		choice := fmt.Sprintf("%c or %c", Letters[2*pair], Letters[2*pair+1])
		switch {
		case letters == "":
			problems = append(problems, "no "+choice+", must be 1")
		case len(letters) > 1:
			problems = append(problems, fmt.Sprintf("%d of %s (%s), must be 1", len(letters), choice, letters))
		}
	}
	if problems != nil {
		return SetUp{}, &IllegalSetUp{problems}
	}
	return s, nil
}

// String writes the six characters; nothing for the zero value.
func (s SetUp) String() string {
	if s == (SetUp{}) {
		return ""
	}
	return string(s.squares[:])
}

// SetUpCount is the number of set-ups: 6·5·4·3 places for one of each pair, and two ways each.
const SetUpCount = 6 * 5 * 4 * 3 << pairs

// setUpNumber returns one of the set-ups, numbered from zero: every set-up has one number.
func setUpNumber(n int) SetUp {
	s := SetUp{[Own]byte([]byte("      "))}
	for pair := range pairs {
		letter := Letters[2*pair+n&1]
		n >>= 1
		free := Own - pair
		at := n % free
		n /= free
		for sq := range s.squares {
			if s.squares[sq] != ' ' {
				continue
			}
			if at == 0 {
				s.squares[sq] = letter
				break
			}
			at--
		}
	}
	return s
}

// SetUps returns all set-ups, in an order that never changes.
func SetUps() []SetUp {
	all := make([]SetUp, SetUpCount)
	for n := range all {
		all[n] = setUpNumber(n)
	}
	return all
}

// RandomSetUp draws one of all set-ups, each with the same probability.
func RandomSetUp(r *rand.Rand) SetUp { return setUpNumber(r.IntN(SetUpCount)) }

// Deploy returns the initial board of two set-ups, each in its own frame.
func Deploy(first, second SetUp) Board {
	var b Board
	for n := range b {
		b[n] = ' '
	}
	for n := range Own {
		b[n] = first.squares[n]
		b[Size-1-n] = swapCase(second.squares[n])
	}
	return b
}
