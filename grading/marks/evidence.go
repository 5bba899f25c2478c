// Package marks turns what is known of a submission into marks, by the rubric of a course. It is pure: the
// same evidence gives the same marks, and every point that is lost has its reason.
//
// [Of] is the entry point; [Evidence] is what it goes by, and [Sheet] what it gives.
package marks

import (
	"time"

	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/tournament/thinktime"
)

// Evidence is all that is known of a submission.
type Evidence struct {
	Name    string
	Folder  string // of its results, below that of all
	Shut    string // how far its builds and programs were shut in, in words; empty: not known
	Unpack  *Unpack
	Build   *Build              // nil: it was not unpacked
	Check   *Check              // nil: it was not built
	Matches map[int]*LevelGames // games of items of kind level, by the place of the item in the rubric
	Place   *Place              // in the class tournament; nil: it took no part
	Times   thinktime.Histogram // of its moves in all games
	Class   sandbox.Traces      // of its games in the class tournament
	InClass load.Given          // because others had the processors
	Took    time.Duration       // by all stages together
}

// Unpack is the result of unpacking.
type Unpack struct {
	Refused string   `json:"refused,omitempty"` // why; empty: it was unpacked
	Ended   bool     `json:"ended,omitempty"`   // it is refused because it ended the grader
	Top     []string `json:"top,omitempty"`     // the files at the top of the submission, or of the only folder in it
}

// Build is the result of building, and of starting once.
type Build struct {
	Language string   `json:"language,omitempty"`
	Command  []string `json:"command,omitempty"` // none: nothing was to be built
	Run      []string `json:"run,omitempty"`
	Failed   string   `json:"failed,omitempty"` // why; empty: it builds and starts
	Output   string   `json:"output,omitempty"` // of a build that failed: its beginning and its end
	Tree     string   `json:"tree,omitempty"`   // digest of what was built
	Ended    bool     `json:"ended,omitempty"`  // it has failed because it ended the grader
	sandbox.Traces
}

// Check is the result of the conformance check.
type Check struct {
	Steps []Step `json:"steps"`
	load.Given
	sandbox.Traces
}

// Step is one of its steps.
type Step struct {
	Name     string   `json:"step"`
	Title    string   `json:"title"`
	Verdict  string   `json:"verdict"` // pass, fail or skip
	Lost     bool     `json:"lost,omitempty"`
	Info     bool     `json:"info,omitempty"` // nothing depends on it
	Expected string   `json:"expected,omitempty"`
	Happened string   `json:"happened,omitempty"`
	Lines    []string `json:"lines,omitempty"`
	Exit     string   `json:"exit,omitempty"`
	Stderr   string   `json:"stderr,omitempty"`
	Again    string   `json:"again,omitempty"`
	Record   string   `json:"record,omitempty"` // file in the folder of records
}

// LevelGames are the games against a staff level.
type LevelGames struct {
	Games      []Game              `json:"games"`
	Times      thinktime.Histogram `json:"times"`
	Voids      int                 `json:"voids,omitempty"`
	load.Given                     // because others had the processors
	sandbox.Traces
}

// Game is one of them, from the submission's side.
type Game struct {
	ID      string       `json:"id"`
	Attempt int          `json:"attempt"`
	Seat    int          `json:"seat"` // 1 or 2
	Points  float64      `json:"points"`
	Code    referee.Code `json:"code"`
	Own     bool         `json:"own,omitempty"` // its own fault ended the game
	Reason  string       `json:"reason"`
	Plies   int          `json:"plies"`
	Moves   int          `json:"moves"`            // its own
	Slowest float64      `json:"slowest"`          // share of its limit that the slowest one took
	Course  string       `json:"course,omitempty"` // digest of all that was played, see referee.Course
	Lines   []string     `json:"lines,omitempty"`
	Exit    string       `json:"exit,omitempty"`
	Stderr  string       `json:"stderr,omitempty"`
	Record  string       `json:"-"` // file in the folder of records; empty: not kept
	Board   string       `json:"-"` // file in the folder of games; empty: there is none
}

// Foul says whether the game was lost by breaking the rules or failing.
func (g *Game) Foul() bool { return g.Own && g.Code != referee.Resigned }

// withinLimits says whether the limits were kept: no time-out, no slow move, and at least one move if the game ended by the
// program's own fault.
func (g *Game) withinLimits(slow float64) bool {
	return !(g.Own && g.Code == referee.TimedOut) && g.Slowest <= slow && !(g.Foul() && g.Moves == 0)
}

// Place is the place in the class tournament.
type Place struct {
	Rank    int     `json:"rank"`
	Players int     `json:"players"`
	Points  float64 `json:"points"`
	Games   int     `json:"games"`
	Worse   int     `json:"worse"` // players with fewer points
	Level   int     `json:"level"` // others with as many
	Fouls   int     `json:"fouls"`
}

// Given is what the submission was given in all games because others had the processors. No marks depend on it.
func (e *Evidence) Given() load.Given {
	sum := e.InClass
	if e.Check != nil {
		sum.Add(e.Check.Given)
	}
	for _, games := range e.Matches {
		sum.Add(games.Given)
	}
	return sum
}

// Built says whether the submission could be played with.
func (e *Evidence) Built() bool { return e.Build != nil && e.Build.Failed == "" }
