// Package player chooses moves. A [Player] sees a view, which holds only what its side may know, a
// deadline and a random source; nothing else goes in, so the same level plays in the referee's own
// process ([New]) and over a pipe against any referee ([Serve]).
//
// Choosing is all it does: it knows no clocks but the deadline it is given, and no files.
package player

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// Level is a strength that can be chosen by name.
type Level struct {
	Name    string
	Summary string
	games   string                              // the only game that has it; empty: all
	hidden  bool                                // for measuring: found by its name, but not listed
	Make    func(g game.Game, o Options) Player // a player for one game
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
}

// maxPlies is after how many moves g is drawn; 0: never.
func (o Options) maxPlies(g game.Game) int {
	if o.MaxPlies != nil {
		return *o.MaxPlies
	}
	return g.Limits().MaxPlies
}

// levels, the weakest first.
var levels = []Level{
	{
		Name: "random", Summary: "any legal move, each as likely as the others",
		Make: func(g game.Game, _ Options) Player { return random{g} },
	},
	{
		Name: "greedy", Summary: "the move that looks best one ply ahead, by what combat has told about each enemy piece",
		games: "luzhanqi",
		Make:  func(game.Game, Options) Player { return &greedy{} },
	},
	{
		Name: "rush", Summary: "everything at the enemy's flag, by the shortest way",
		games: "luzhanqi",
		Make:  func(game.Game, Options) Player { return &rush{habits: rusher} },
	},
	{
		Name: "easy", Summary: "a short search without beliefs: 6,000 positions a move, whatever the time",
		games: "luzhanqi",
		Make:  searching(easy),
	},
	{
		Name: "medium", Summary: "the search of strong without what was learned, 6,000 positions a move, whatever the time",
		games: "luzhanqi",
		Make:  searching(medium),
	},
	{
		Name: "strong", Summary: "full strength: worlds drawn from exact beliefs, every move played out in all of them",
		games: "luzhanqi",
		Make:  searching(strong),
	},
	{
		Name: "naive", Summary: "the search without beliefs: what strong is measured against",
		games: "luzhanqi", hidden: true,
		Make: searching(naive),
	},
}

// The searching levels. Those with nodes do not depend on the machine or the limit.
var (
	strong = style{worlds: 64, plies: 20, beliefs: true, prior: SetUpExponent, habits: HabitExponent, learned: true, setUps: fromBook, rushes: true, proofs: true}
	medium = style{worlds: 32, plies: 20, nodes: 6_000, beliefs: true, setUps: fromKnowledge, rushes: true}
	easy   = style{worlds: 16, plies: 20, nodes: 6_000, setUps: fromKnowledge}
	naive  = style{worlds: 64, plies: 20}
)

func searching(s style) func(game.Game, Options) Player {
	return func(_ game.Game, o Options) Player { return &searcher{style: s, options: o} }
}

// Levels returns the levels of a game, the weakest first.
func Levels(g game.Game) []Level {
	var all []Level
	for _, l := range slices.Concat(levels, treeLevels, chess1dLevels) {
		if l.playsIn(g) && !l.hidden {
			all = append(all, l)
		}
	}
	return all
}

func (l Level) playsIn(g game.Game) bool { return l.games == "" || l.games == g.Name() }

// FindLevel returns the level of that name.
func FindLevel(g game.Game, name string) (Level, error) {
	var names []string
	for _, l := range slices.Concat(levels, treeLevels, chess1dLevels) {
		if !l.playsIn(g) {
			continue
		}
		if l.Name == name {
			return l, nil
		}
		if !l.hidden {
			names = append(names, l.Name)
		}
	}
	return Level{}, fmt.Errorf("level %q of %s: allowed are %s", name, g.Name(), strings.Join(names, ", "))
}

// New returns a player of this level for one game.
func (l Level) New(g game.Game, o Options) Player { return l.Make(g, o) }

// random plays any game.
type random struct{ game game.Game }

func (p random) SetUp(r *rand.Rand) game.SetUp { return p.game.RandomSetUp(r) }

func (p random) Choose(v game.View, _ time.Time, r *rand.Rand) game.Move {
	moves := v.Moves(nil)
	return moves[r.IntN(len(moves))]
}
