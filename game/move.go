package game

// Square is a square of one game's board. Its number means something only inside that game's
// package; everywhere else a square is text, such as A6.
type Square uint8

// Move takes one piece from one square to another. In a game of placing pieces From is To; see the package
// comment. The zero value is a move like any other, so it cannot stand for none.
type Move struct{ From, To Square }
