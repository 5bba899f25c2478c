package game

import (
	"fmt"
	"strings"
)

// Opening is how a game is made to begin: with set-ups and moves, or a position and moves, that nobody chose. The zero value is none.
type Opening struct {
	SetUps   [2]SetUp // empty: the side chooses
	Position string   // as [Positional.FormatPosition] writes it, instead of set-ups; empty: that of the rules
	Moves    []Move   // the first ones, the first mover's first
	Random   int      // further plies, which the referee draws
}

// None says that there is no opening.
func (o Opening) None() bool { return o.SetUps == [2]SetUp{} && o.Position == "" && o.Plies() == 0 }

// AsksSetUps says whether a game that begins so begins with set-ups.
func (o Opening) AsksSetUps(g Game) bool { return g.HasSetUp() && o.Position == "" }

// Start is the position before the first move; both sides' set-ups are empty where none are asked for.
func (o Opening) Start(g Game, rules Rules, setUps [2]SetUp) (Position, error) {
	if o.Position == "" {
		return g.New(rules, setUps)
	}
	placed, ok := g.(Positional)
	if !ok {
		return nil, fmt.Errorf("a position of %s cannot be written down: what its sides know is in its set-ups and moves", g.Name())
	}
	return placed.ParsePosition(rules, []byte(o.Position))
}

// Positional is a game of which a position says all that its sides know, so that it can be written down without the moves that
// led there. What has been repeated begins anew with it.
type Positional interface {
	Game
	// ParsePosition reads the JSON object that Analyse reads, with members to say what else there is.
	ParsePosition(rules Rules, text []byte) (Position, error)
	// FormatPosition writes it, with all members that there can be.
	FormatPosition(Position) []byte
}

// Plies is how many moves the players do not choose.
func (o Opening) Plies() int { return len(o.Moves) + o.Random }

// OpeningEnd is the referee's end of a conversation whose extension has words for an opening.
type OpeningEnd interface {
	RefereeEnd
	// Open says, before all else, how the game will begin; start is the opening's position, nil if it has none. An end of a
	// [Positional] game has words for it.
	Open(o Opening, start Position)
}

// openingsSuffix in the name of a dialect says that the program reads what an extension of the dialect says of openings.
const openingsSuffix = "+openings"

// CutOpenings cuts the extension off the name of a dialect.
func CutOpenings(name string) (dialect string, found bool) {
	return strings.CutSuffix(name, openingsSuffix)
}

// Placed is the opening's position, nil if it has none.
func (o Opening) Placed(g Game, rules Rules) (Position, error) {
	if o.Position == "" {
		return nil, nil
	}
	return o.Start(g, rules, [2]SetUp{})
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
