package sexpr

// LookupInitial reads a set-up without a parser: any blanks between its items, but none before or after it, and one
// placement at least. It says false to every other text, also to those that [ParsePlayer] reads. The parser takes half a
// millisecond for a set-up and allocates eight hundred times.
func LookupInitial(text []byte) (Initial, bool) {
	if len(text) < len("((A1 F))") || len(text) > DefaultLimits.Bytes || text[0] != '(' {
		return nil, false
	}
	initial := make(Initial, 0, 25)
	for rest := afterBlanks(text[1:]); len(rest) > 0; rest = afterBlanks(rest) {
		if rest[0] == ')' {
			return initial, len(rest) == 1 && len(initial) > 0
		}
		placement, width := placementAt(rest)
		if width == 0 {
			return nil, false
		}
		initial = append(initial, placement)
		rest = rest[width:]
	}
	return nil, false
}

// placementAt reads the placement at the start of text; width 0 says there is none.
func placementAt(text []byte) (p Placement, width int) {
	if text[0] != '(' {
		return p, 0
	}
	rest := afterBlanks(text[1:])
	square, width := squareAt(rest)
	if width == 0 {
		return p, 0
	}
	spaced := afterBlanks(rest[width:])
	if len(spaced) == 0 || len(spaced) == len(rest)-width {
		return p, 0
	}
	switch piece := spaced[0]; {
	case piece == 'F', piece == 'L', piece == 'B', '1' <= piece && piece <= '9':
		if rest = afterBlanks(spaced[1:]); len(rest) > 0 && rest[0] == ')' {
			return Placement{Square: square, Piece: Piece(piece)}, len(text) - len(rest) + 1
		}
	}
	return p, 0
}

func afterBlanks(text []byte) []byte {
	for len(text) > 0 && blank(text[0]) {
		text = text[1:]
	}
	return text
}
