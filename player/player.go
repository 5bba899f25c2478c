// Package player is what every player has in common, whatever the game. A [Player] sees a view, which
// holds only what its side may know, a deadline and a random source; nothing else goes in, so the same
// [Level] plays in the referee's own process and over a pipe against any referee ([Serve]). A player
// that can say why it chose its move is an [Explainer].
//
// No game is named here. The levels of each game are listed by package levels; what is peculiar to a
// game stands in a folder of its name, and the search for games without hidden pieces in alphabeta.
package player

import (
	"math/rand/v2"
	"runtime"
	"time"

	"luzhanqi/game"
)

// Player plays one side of one game. It may remember what it has worked out; it is used by one
// goroutine and for one game.
type Player interface {
	// SetUp proposes a legal set-up. Games without set-ups never ask.
	SetUp(r *rand.Rand) game.SetUp
	// Choose returns one of v.Moves, of which there is at least one, before the deadline. The same
	// views and the same random source give the same moves, unless the deadline cuts in.
	Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move
}

// Rester is a player that can give back, between two moves, the memory of what it would work out again: for who plays
// many games at a time. What it would explain is forgotten, too.
type Rester interface {
	Rest()
}

// Level is a strength that can be chosen by name.
type Level struct {
	Name    string
	Summary string
	Hidden  bool                                // for measuring: found by its name, but not listed
	Style   bool                                // a way of playing to be tested by, and no rung between those beside it
	Timed   bool                                // without Options.Nodes its moves depend on the time that it is given
	New     func(g game.Game, o Options) Player // a player for one game
}

// Options tune a level.
type Options struct {
	Nodes int        // positions looked at for a move, instead of as many as the deadline allows; zero: no limit
	Rules game.Rules // by which the game is played; nil: the default ones
	// MaxPlies is after how many moves the game is drawn, 0: never; nil: as the game has it.
	MaxPlies *int
	// Threads is how many processors it may think on at a time; zero: all that this process may use.
	Threads int
	Log     func(string) // is told, once, that what was observed cannot be; may be nil
	// Cut is told that the deadline ended a search which has a number of positions, or of plies, and how many positions it
	// had looked at. nil: such a search takes the time that it needs, and its moves are the same on every machine.
	Cut func(positions int64)
}

// Cap is after how many moves g is drawn; 0: never.
func (o Options) Cap(g game.Game) int {
	if o.MaxPlies != nil {
		return *o.MaxPlies
	}
	return g.Limits().MaxPlies
}

// Workers is how many goroutines a search may use: two players of one game take turns, but several
// games at a time share the processors.
func (o Options) Workers() int {
	n := max(1, min(runtime.GOMAXPROCS(0), 16))
	if o.Threads > 0 {
		n = min(n, o.Threads)
	}
	return n
}
