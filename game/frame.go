package game

// Framed is a game whose sides see the board each from its own place.
type Framed interface {
	Game
	// InFrame turns a move from player 1's frame into side's, and from side's into player 1's: it is its
	// own inverse.
	InFrame(m Move, side Side) Move
}

// InFrame turns a move between player 1's frame and side's; in games that are not [Framed] they are the same.
func InFrame(g Game, m Move, side Side) Move {
	if framed, ok := g.(Framed); ok {
		return framed.InFrame(m, side)
	}
	return m
}

// FramedError is an error of Position.Check that names squares, and can name them as a side sees them.
type FramedError interface {
	error
	InFrame(side Side) error
}

// ErrorInFrame is err with the squares that it names, if any, as side sees them.
func ErrorInFrame(err error, side Side) error {
	if framed, ok := err.(FramedError); ok {
		return framed.InFrame(side)
	}
	return err
}
