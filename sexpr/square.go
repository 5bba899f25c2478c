package sexpr

import (
	"fmt"
	"strconv"
)

const (
	columns = 5
	rows    = 12
)

// Square is a board position as the grammar writes it: "A1" to "E12".
// A conversion Square(text) is not checked; [ParseSquare] is.
type Square string

// squares holds the only copy of each name, so that a parsed square neither
// allocates nor keeps the text alive that it came from.
var squares = func() (all [columns * rows]Square) {
	for i := range all {
		all[i] = Square(rune('A'+i/rows)) + Square(strconv.Itoa(i%rows+1))
	}
	return all
}()

// ParseSquare reads exactly one square: no blanks, no leading zero, upper case.
func ParseSquare(text string) (Square, error) {
	square, width := squareAt(text)
	if width == 0 || width != len(text) {
		return "", fmt.Errorf("square: found %s, allowed: A1 to E12", quoted(text))
	}
	return square, nil
}

// squareAt reads the longest square at the start of text; width 0 says there
// is none.
func squareAt[Text string | []byte](text Text) (square Square, width int) {
	if len(text) < 2 || text[0] < 'A' || text[0] > 'E' || text[1] < '1' || text[1] > '9' {
		return "", 0
	}
	row, width := int(text[1]-'0'), 2
	if row == 1 && len(text) > 2 && '0' <= text[2] && text[2] <= '2' {
		row, width = 10+int(text[2]-'0'), 3
	}
	return squares[int(text[0]-'A')*rows+row-1], width
}
