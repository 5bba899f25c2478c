package game

// Square is a square of one game's board. Its number means something only inside that game's
// package; everywhere else a square is text, such as A6.
type Square uint8

// Move takes one piece from one square to another: in all games here that is the whole of a move.
type Move struct{ From, To Square }
