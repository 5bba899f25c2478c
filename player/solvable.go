package player

import (
	"context"
	"fmt"
	"io"

	"luzhanqi/game"
)

// Solvable is a game that can be solved once and for all. Solving is the only part of players
// that touches files, and only those in the directory that it is given.
type Solvable struct {
	Game     string
	Readings []string // the rules for which it is solved when none are named
	Needs    string   // the memory, which is a bound, and the time, as measured
	// Solve solves the game under each of the rules. It keeps what it has finished in a directory, which
	// it makes, and goes on from there: a solve that ctx ends is resumed by another. Progress may be nil.
	Solve func(ctx context.Context, dir string, rules []game.Rules, progress Progress) (Solution, error)
}

// Progress is told how far a stage of a solve is.
type Progress func(stage string, done, total int)

// Solution is a solved game. It marshals to JSON.
type Solution interface {
	fmt.Stringer // for people, some lines
	// WriteOpenings writes the values and how to begin, in the form in which this package keeps them.
	WriteOpenings(w io.Writer) error
	// WriteBook works out the moves that a player looks up, and writes them in the same way. It is for
	// the solution of one reading, and can be resumed no more than as a whole. Progress may be nil.
	WriteBook(ctx context.Context, w io.Writer, progress Progress) error
}
