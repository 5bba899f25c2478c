package sexpr

// LookupMove reads one of the 3,600 canonical moves, (A1 A1) to (E12 E12),
// without a parser and without allocating. It says false to every other text,
// also to a move in other spacing, which [ParsePlayer] reads.
//
// It computes rather than look in a table of texts: hashing the text for the
// table would cost as much as reading it.
func LookupMove(text []byte) (Move, bool) {
	if len(text) < len("(A1 A1)") || text[0] != '(' {
		return Move{}, false
	}
	from, width := squareAt(text[1:])
	rest := text[1+width:] // not empty: text is longer than "(" and a square
	if width == 0 || rest[0] != ' ' {
		return Move{}, false
	}
	to, width := squareAt(rest[1:])
	rest = rest[1+width:]
	if width == 0 || len(rest) != 1 || rest[0] != ')' {
		return Move{}, false
	}
	return Move{From: from, To: to}, true
}
