package sexpr

// Piece is one of 'F' (flag), 'L' (landmine), 'B' (bomb) and the ranks '1'
// (engineer) to '9' (field marshal). A conversion Piece(c) is not checked; the
// parser is strict.
type Piece byte

// String is the piece as the grammar writes it.
func (p Piece) String() string { return string([]byte{byte(p)}) }
