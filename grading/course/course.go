// Package course reads the TOML file that says how submissions are graded; docs/grading.md and
// examples/course/course.toml show every key. [Load] checks all that can be known without looking at a
// submission, with line and column of each error.
package course

import (
	"path/filepath"
	"time"

	"luzhanqi/game"
	"luzhanqi/grading/archive"
	"luzhanqi/grading/roster"
	"luzhanqi/grading/tree"
	"luzhanqi/player"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/schedule"
)

// Course is how submissions are graded.
type Course struct {
	Title string
	referee.Conditions
	Seed uint64
	// SeedDrawn: the file names no seed; each folder of results has its own, which nobody knows before.
	SeedDrawn bool

	Protocol game.Protocol // that all submissions speak, adapted if there is an adapter
	Adapter  *referee.Adapter
	OneByOne bool                // see referee.Entrant
	Env      []string            // NAME=value, added to the environment of every submission
	Confine  process.Confinement // what each of them may use

	Submissions string  // the folder they are in; empty: only Named ones
	Named       []Named // with a path or commands of their own

	Unpack     archive.Limits
	Build      Build
	Read       []string // folders of tools that programs and builds may read, absolute
	Languages  []Language
	CheckGames int // full games of the check, a multiple of 4; 0: there is no check
	Items      []Item
	Class      *Class // nil: no class tournament
	Gradescope Gradescope
	Records    int // the most records that are kept of a submission
	Boards     int // the most games of a submission that have a page

	Roster      []roster.Student
	HasRoster   bool
	RosterFile  string
	Late        *roster.Late   // nil: nothing is late
	Zone        *time.Location // of times that have none
	Attempts    string         // which counts; empty: each submission is somebody's only one
	Overall     Curve          // from the share of all points but bonus to that which counts
	Curved      bool           // there is one
	Corrections []Correction

	document *strict.Document
	folder   string // of the file
	file     string

	adapterFile string // empty: it has none
}

// Build is how any submission is built.
type Build struct {
	Time    time.Duration
	Env     []string // added to the environment
	Confine process.Confinement
	Tree    tree.Limits // what the folder may hold when it is built
}

// Named is a submission that the file names.
type Named struct {
	Name  string
	Path  string   // empty: the entry of that name in the folder
	Build []string // instead of the language's; nil: the language's
	Run   []string
	// Built says that Build is given, if only as nothing.
	Built bool

	place *strict.Table
}

// Class is a tournament of all submissions that could be built.
type Class struct {
	Format schedule.Format // a round robin or a Swiss
	Games  int             // of an encounter
	Rounds int             // of a Swiss
}

// Gradescope is what its results.json is to say besides marks.
type Gradescope struct {
	Visibility       string // of the results
	StdoutVisibility string
	Leaderboard      bool
}

// Kind is what an item of the rubric marks.
type Kind string

// The kinds.
const (
	Builds      Kind = "builds"      // it is unpacked, built and started
	Conformance Kind = "conformance" // the share of steps of the check that pass
	Level       Kind = "level"       // the score against a staff level
	Time        Kind = "time"        // the share of games in which the limits are kept
	InClass     Kind = "class"       // the place among the others
)

// Item is one line of the rubric.
type Item struct {
	Kind   Kind
	Title  string
	Points float64
	Bonus  bool  // on top of the whole
	Curve  Curve // from a share of 0 to 1 to a share of the points

	Steps []string // Conformance: which; none: all
	Name  string   // Level: its name
	Level player.Level
	Nodes int
	Games int
	Slow  float64 // Time: a move that takes more than this share of its limit is slow
	By    string  // InClass: "score" or "place"
}

// Results is the folder of the results if nothing else is said: beside the course.
func (c *Course) Results() string { return filepath.Join(c.folder, "graded") }

// File is the path of the course file, absolute.
func (c *Course) File() string { return plan.Resolve("", c.file) }

// Folder is the folder that it is in, absolute.
func (c *Course) Folder() string { return filepath.Dir(c.File()) }

// Files are the course file and all files and folders of the course that it names, but for tools.
func (c *Course) Files() (all []string) {
	all = append(all, c.File())
	for _, file := range []string{c.RosterFile, c.adapterFile, c.Submissions} {
		if file != "" {
			all = append(all, file)
		}
	}
	for _, n := range c.Named {
		if n.Path != "" {
			all = append(all, n.Path)
		}
	}
	return all
}

// Max is the most that can be had without bonus.
func (c *Course) Max() (points float64) {
	for _, i := range c.Items {
		if !i.Bonus {
			points += i.Points
		}
	}
	return points
}

// Entrant is a submission as a player; what it is run by is to be added.
func (c *Course) Entrant(name string) referee.Entrant {
	return referee.Entrant{Name: name, Protocol: c.Protocol, Adapter: c.Adapter, OneByOne: c.OneByOne}
}

// At is an error of a named submission, with its place in the file.
func (n Named) At(c *Course, err error) error {
	n.place.Error("name", err)
	return c.document.Reported()
}
