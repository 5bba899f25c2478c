package sexpr

import (
	"fmt"
	"strings"
)

// Piece is one of 'F' (flag), 'L' (landmine), 'B' (bomb) and the ranks '1'
// (engineer) to '9' (field marshal). A conversion Piece(c) is not checked;
// [ParsePiece] is.
type Piece byte

const pieces = "FLB123456789"

// ParsePiece reads exactly one piece.
func ParsePiece(text string) (Piece, error) {
	if len(text) != 1 || !strings.Contains(pieces, text) {
		return 0, fmt.Errorf("piece: found %s, allowed: F, L, B or 1 to 9", quoted(text))
	}
	return Piece(text[0]), nil
}

// String is the piece as the grammar writes it.
func (p Piece) String() string { return string([]byte{byte(p)}) }
