package alphabeta

import "luzhanqi/game"

// Game is a game that the search can play.
type Game struct {
	Rules Rules
	// NewTree makes a tree of the position that a view shows; cap is after how many plies of the whole
	// game it is drawn, zero: never.
	NewTree func(v game.View, cap int) Tree
	// Textbook, if not nil, takes the place of NewTree in the levels that strong is measured against: with
	// an evaluation such as everybody would begin with.
	Textbook func(v game.View, cap int) Tree
	// TextbookBelow has all levels below strong judge by Textbook, too, so that what strong learns changes none of their moves.
	TextbookBelow bool
	// Patience is the part of the time after which no further iteration begins.
	Patience float64
	// Easy is how many positions a move the level easy looks at; zero: 300.
	Easy int
}

// Tree is one game of open positions as the search walks it: a stack of positions, of which
// the last is the current one. Everything is seen from the side to move there, the mover.
//
// A tree is used by one goroutine; Fork makes one for another.
type Tree interface {
	// Key identifies the position, the side to move and whatever else the rules make depend on the past.
	Key() uint64
	// Mover is the side to move, Ply how many moves of the game were played.
	Mover() game.Side
	Ply() int
	// Over says that the game has ended, and its value for the mover: 1 won, 0 drawn, −1 lost. That
	// the mover has no move is left to the search, which finds it out anyway; see Rules.Stuck.
	Over() (value int, over bool)
	// WinsNext says that the mover can certainly end the game with a win by its next move; false
	// claims nothing.
	WinsNext() bool
	// InCheck says that the mover must answer something at once, so that it would be wrong to judge
	// the position as it stands; false claims nothing.
	InCheck() bool
	// NullMoveOK says that having to move is surely no burden, so that the search may look what would
	// happen if the mover did nothing.
	NullMoveOK() bool
	// Evaluate judges the position, in hundredths of the game's unit, between −evaluated and evaluated.
	Evaluate() int32
	// Moves appends the legal moves, Captures those of them that have a gain.
	Moves(dst []Move) []Move
	Captures(dst []Move) []Move
	// Gain is what Moves would say about the legal move m.
	Gain(m game.Move) int16
	// Play goes one move down, Pass down without a move, Back up again.
	Play(m game.Move)
	Pass()
	Back()
	// Left is how many plies may still be played before the game is drawn.
	Left() int
	// Fork is an independent tree whose only position is the current one.
	Fork() Tree
}

// SolvedTree is a tree that knows how some positions end.
type SolvedTree interface {
	Tree
	// Solved gives the value of the position for the mover and the plies until the end, if it is known and the
	// game goes on; of a draw, the plies mean nothing.
	Solved() (value, plies int, ok bool)
}

// Move is a move with what the search should know before it tries it.
type Move struct {
	game.Move
	// Gain is positive if the move captures or decides something: more for better ones. Such a move
	// cannot be taken back, so no position after it equals one before it.
	Gain int16
	// order is the search's own.
	order int32
}

// Rules say what the search may take for granted in a game.
type Rules struct {
	Stuck     int   // the value for a mover without a move: −1 or 0
	Repeats   bool  // positions can recur; the search takes that for a draw
	Captures  bool  // there are captures to be played out before a position is judged
	Futile    int32 // what one ply can hardly change the evaluation by; zero: never prune by it
	Window    int32 // half the first window of an iteration
	TableSize int   // entries of the transposition table, in powers of two
}

// Values of positions. A proven one tells in how many plies, counted from the root, the game ends.
const (
	won       int32 = 32_000 // the game has ended with a win; in n plies: won − n
	proven    int32 = 31_000 // from here on, and below −proven, scores are proofs
	evaluated int32 = 30_000 // what evaluations stay below
	unbounded int32 = 32_767
	MaxDepth        = 120 // plies that a search looks ahead at most
)

func isProven(score int32) bool { return score >= proven || score <= -proven }

// endsIn is in how many plies the game ends in a position of a proven score.
func endsIn(score int32) int { return int(won - max(score, -score)) }

// valued is the score of a game that has ended after so many plies from the root.
func valued(value, plies int) int32 {
	switch {
	case value > 0:
		return won - int32(plies)
	case value < 0:
		return int32(plies) - won
	}
	return 0
}
