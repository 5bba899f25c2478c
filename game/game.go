// Package game holds what all games share: sides, squares, moves, outcomes, and the three
// interfaces by which a referee, a record or a command line knows a game:
//
//   - [Game]: one kind of game, with its options, limits, notation and protocols;
//   - [Position]: one game in progress, complete, as the referee knows it;
//   - [View]: the same as one side may know it. Players and protocols get nothing else.
//
// Everything here is pure: no input, no output, no clock, and no random choice but from a source that is
// handed in. Inside the program all squares are in player 1's frame. Protocols turn them into the frame in
// which a program sees its board, and back.
//
// # A folder for each game
//
// A game is a folder below this one and one line in package games. What stands where is the same in all:
//
//	game.go           Game: name, default limits, options, protocols, how a game begins
//	square.go         the squares: their numbers, sets of them, frames
//	piece.go          the kinds of pieces, their names and letters
//	board.go          Board: where every piece stands; editing, playing a move, hash keys
//	moves.go          the legal moves of a board, with the tables that make them fast
//	illegal.go        IllegalMove: why a move may not be played
//	position.go       Position: a game in progress, how it ends, repetition
//	view.go           View: what one side knows
//	setup.go          set-ups, in games that have them
//	notation.go       squares, moves and boards as text, written and read
//	analyse.go        the answers of luzhanqi moves
//	draw.go           pictures of boards for terminals
//	picture.go        pictures of boards as SVG
//	person.go         the texts for people at a terminal, in games that have a way of their own
//	protocol_NAME.go  a conversation with programs: the referee's end, then the player's
//	README.md         the rules, where they were settled, and the conversations
//
// Luzhanqi has besides them combat.go, who wins a fight; observation.go, what both sides learn from a move;
// and protocol.go, the code of both its protocols. Tests stand beside what they test; analyse_test.go compares
// with an independent program's answers, reference_test.go with a second, slow generator of moves. Package
// gametest has what the tests share.
//
// # Games of placing
//
// Every move has a square to which a piece comes, and one from which. In a game in which pieces are placed
// the two are the same: Move{From: sq, To: sq}. So no code outside a game's folder may take From == To
// for "no move", or for one that cannot be legal: whether there is a move is said apart, as
// [Event.HasMove] does, and only [Position.Check] knows what is legal.
package game

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Game is one kind of game.
type Game interface {
	// Name is the word that selects the game, such as "luzhanqi".
	Name() string
	// Title is the name for people.
	Title() string
	// Limits are the game's default limits.
	Limits() Limits
	// Options are the rules that can be chosen, with their defaults.
	Options() []Option
	// Protocols are the conversations in which the game can be played; the first is the default.
	Protocols() []Protocol

	// HasSetUp says whether each side begins by proposing a set-up.
	HasSetUp() bool
	// ParseSetUp reads a set-up written by a person, in any of the game's notations.
	ParseSetUp(text string) (SetUp, error)
	// CheckSetUp names every fault of a set-up and its square; nil when it is legal.
	CheckSetUp(SetUp) error
	// RandomSetUp draws a legal set-up.
	RandomSetUp(*rand.Rand) SetUp
	// New returns the initial position. The set-ups, each in its own frame, are empty for games
	// without any; an error names the side whose set-up is illegal.
	New(Rules, [2]SetUp) (Position, error)

	// FormatMove writes a move in player 1's frame; ParseMove reads it.
	FormatMove(Move) string
	ParseMove(text string) (Move, error)

	// Analyse answers one position under the rules: a JSON object in the format of the game's README, with a
	// value to be marshalled as JSON: its legal moves and what else the format says of them.
	Analyse(rules Rules, line []byte) (any, error)
}

// Position is one game in progress: the whole truth, and what the rules remember of its past.
// It is a value: Play returns the next one and leaves this one as it was.
type Position interface {
	// Mover is the side whose turn it is.
	Mover() Side
	// Ply is the number of moves played.
	Ply() int
	// Check says why the mover may not play m: an IllegalMove of its game, or that the game is over; nil when m
	// is legal.
	Check(m Move) error
	// Moves appends the legal moves to dst; there are none when the game is over.
	Moves(dst []Move) []Move
	// Play returns the position after the legal move m.
	Play(m Move) Position
	// Outcome says how the game has ended, if it has.
	Outcome() (Outcome, bool)
	// View returns the view of side.
	View(side Side) View
	// Draw pictures the whole board, with nothing hidden.
	Draw(DrawStyle) string
}

// View holds the facts that one side may know of a game in progress. Its concrete type, one for each game,
// does not contain what the side may not know, so it cannot leak.
type View interface {
	// Side is the side whose view it is, Mover the side whose turn it is.
	Side() Side
	Mover() Side
	// Moves appends the moves that the viewing side could play if it were its turn.
	Moves(dst []Move) []Move
	// Draw pictures what the side sees.
	Draw(DrawStyle) string
}

// Clock is by which clock programs are judged.
type Clock string

// The clocks.
const (
	OwnClock  Clock = ""     // what others took of the processors is given back
	WallClock Clock = "wall" // nothing is
)

// ParseClock reads a clock as people write it.
func ParseClock(word string) (Clock, error) {
	switch word {
	case OwnClock.String():
		return OwnClock, nil
	case WallClock.String():
		return WallClock, nil
	}
	return "", fmt.Errorf("clock %q: allowed are %v and %v", word, OwnClock, WallClock)
}

func (c Clock) String() string {
	if c == OwnClock {
		return "own"
	}
	return string(c)
}

// Limits bound one game.
type Limits struct {
	SetUp    time.Duration // for the set-up, starting the program included
	First    time.Duration // for each side's first move; zero: Move
	Move     time.Duration // for every other move
	Start    time.Duration // added to every limit of a program that is started anew for each question
	Grace    time.Duration // added to each of these before it counts as exceeded, and given for exiting at the end
	MaxPlies int           // the game is drawn after so many moves; zero: no cap
	Clock    Clock         // of programs
	// Total is the time for all moves of a side together, and Increment what it gets for each, instead of First and Move; zero: it has
	// those for each move.
	Total, Increment time.Duration
}

// Pace says for people how much time there is.
func (l Limits) Pace() string {
	if l.Total > 0 {
		return fmt.Sprintf("%v for all moves and %v for each", l.Total, l.Increment)
	}
	return fmt.Sprintf("%v a move", l.Move)
}

// ForMove returns the time a side has for its next move at the given ply.
func (l Limits) ForMove(ply int) time.Duration {
	if ply < 2 && l.First > 0 {
		return l.First
	}
	return l.Move
}
