// Package check finds out what is wrong with somebody's program, in small steps with plain verdicts.
//
// Entry points: [Run] checks a program that plays a game, [RunReferee] a referee that lets two programs
// play; both give a [Report], which prints itself as text, TAP, JUnit XML or JSON. [Steps] and
// [RefereeSteps] list what is checked.
//
// Each step has a name that does not change, and a verdict: pass, fail or skip. A failure says what was
// expected, what happened, which lines were exchanged last, what the program wrote to standard error, and
// by which command line the step is run again. A step that needs another one which has failed is
// skipped, so that one mistake is named once. Lateness is no such obstacle: a game in which a limit was exceeded is played
// once more, and if it is exceeded again, what else came in time is judged all the same.
//
// Whatever is checked is played by package referee, so what is a foul here is one in a match. Nothing
// here knows a game: programs of every game and dialect are checked by the same steps.
//
// How long a check may take is bounded. No answer is waited for longer than its limit and the grace; and
// after two games in which the program exceeded a limit in the same phase (set-up, first move, later
// moves), no further game is played that has to come so far; after six in all, none. So all that is waited
// for in vain comes to at most 2 × set-up + 4 × the longest limit of a move + 6 × grace, half of that again since three
// games are played twice, and to one grace for each of at most 20 + 2 × Games games for a program that does not exit.
//
// A binary that checks is its own probe, so its main and its TestMain begin with process.Reexec([Probe]).
package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"luzhanqi/referee"
)

// Subject is the program or the referee to be checked, and what it is to play.
//
// Words of a referee's command may hold {1} and {2}: they become the paths of two programs, of which the first is to
// play first. Its protocol is that of those programs, and the limits also bound how long the check waits for it.
type Subject struct {
	Program            referee.Entrant // with its command and its protocol, adapted if it has an adapter
	referee.Conditions                 // but for the retries: in a check an illegal move is a foul
}

// newReport begins a report on a subject, which is a "program" or a "referee".
func (s *Subject) newReport(role string, seed uint64) Report {
	r := Report{
		Subject: s.Program.Command.String(), Role: role, Game: s.Game.Name(), Dialect: s.Program.Protocol.Name(), Seed: seed,
		Steps: []Result{},
	}
	if s.Program.Adapter != nil {
		r.Adapter = s.Program.Adapter.Name
	}
	return r
}

// Options say how to check.
type Options struct {
	Games int      // full games in all, and again with half the time; a multiple of 4; zero: 20
	Seed  uint64   // decides all that is random here
	Only  []string // names of steps; empty: all
	// Again is the command line that begins a repetition; a step adds " --only " and its name. Empty: there is none.
	Again string
	// Records is a directory, which is made, for the records of the games in which steps failed. Empty:
	// none are written; Failure.RecordText holds them all the same.
	Records string
	Version string // written into records
	// Recognised, if not nil, is called before Each with what the program's adapter finds in the output of the
	// first game, if the program has an adapter.
	Recognised func([]string)
	// Each, if not nil, is called with every result as soon as it is there.
	Each func(Result)
}

// DefaultGames is how many full games are played if nothing else is said.
const DefaultGames = 20

// ErrSubject: the subject or the options cannot be used. Nothing was played.
var ErrSubject = errors.New("cannot be checked")

func (o *Options) check(known []Step) error {
	if o.Games == 0 {
		o.Games = DefaultGames
	}
	if o.Games < 4 || o.Games > 10_000 || o.Games%4 != 0 {
		return fmt.Errorf("%w: %d games: allowed are multiples of 4 from 4 to 10000, for two opponents and two seats", ErrSubject, o.Games)
	}
	for _, name := range o.Only {
		if !slices.ContainsFunc(known, func(s Step) bool { return s.Name == name }) {
			return fmt.Errorf("%w: there is no step %q; they are listed by --list", ErrSubject, name)
		}
	}
	if o.Records == "" {
		return nil
	}
	if err := os.MkdirAll(o.Records, 0o777); err != nil {
		return fmt.Errorf("%w: the directory for records: %w", ErrSubject, err)
	}
	return nil
}

// Run checks a program. An error means that there is no report, or only the beginning of one: the
// subject or the options cannot be used (ErrSubject), the context has ended, or a file could not be
// written. What is wrong with the program is no error but in the report.
func Run(ctx context.Context, subject Subject, options Options) (Report, error) {
	if err := options.check(Steps()); err != nil {
		return Report{}, err
	}
	if subject.Program.Level != nil || subject.Program.Protocol == nil || len(subject.Program.Command.Args) == 0 || subject.Game == nil {
		return Report{}, fmt.Errorf("%w: it takes a game, and a program with a command and a protocol", ErrSubject)
	}
	dir, remove, err := Folder()
	if err != nil {
		return Report{}, err
	}
	defer remove()
	s := newSession(ctx, subject, options, dir)
	r := subject.newReport("program", options.Seed)
	if r.Recognised = s.recognised(); r.Recognised != nil && options.Recognised != nil {
		options.Recognised(r.Recognised)
	}
	err = r.run(ctx, s.steps(), options)
	r.Given, r.Traces, r.Again = s.given, s.traces, s.again
	return r, err
}
