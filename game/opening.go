package game

import "strings"

// Opening is how a game is made to begin: with set-ups and moves that nobody chose. The zero value is none.
type Opening struct {
	SetUps [2]SetUp // empty: the side chooses
	Moves  []Move   // the first ones, player 1's first
	Random int      // further plies, which the referee draws
}

// None says that there is no opening.
func (o Opening) None() bool { return o.SetUps == [2]SetUp{} && o.Plies() == 0 }

// Plies is how many moves the players do not choose.
func (o Opening) Plies() int { return len(o.Moves) + o.Random }

// OpeningEnd is the referee's end of a conversation whose extension has words for an opening.
type OpeningEnd interface {
	RefereeEnd
	// Open says, before all else, how the game will begin.
	Open(Opening)
}

// openingsSuffix in the name of a dialect says that the program reads what an extension of the dialect says of openings.
const openingsSuffix = "+openings"

// CutOpenings cuts the extension off the name of a dialect.
func CutOpenings(name string) (dialect string, found bool) {
	return strings.CutSuffix(name, openingsSuffix)
}

// WithOpenings returns a dialect with its extension for openings; false: it has none.
func WithOpenings(p Protocol) (Protocol, bool) {
	if _, ok := p.RefereeEnd(First, Limits{}).(OpeningEnd); !ok {
		return nil, false
	}
	return extended{p}, true
}

// TellsOpenings says whether a program that speaks a dialect can be told how a game begins: each question of one that is started
// anew for each holds the whole position.
func TellsOpenings(p Protocol) bool {
	_, ok := p.(extended)
	return ok || p.Kind() == OneShot
}

// extended is a dialect with its extension for openings.
type extended struct{ Protocol }

func (e extended) Name() string { return e.Protocol.Name() + openingsSuffix }
