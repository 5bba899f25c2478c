// Package report writes marks down: for each submission results.json as Gradescope reads it, JUnit XML,
// marks.json and a page; for the class a table for the gradebook, JSON, JUnit XML, a page, and what the run was.
//
// [Write] and [WriteClass] are the entry points. marks.json, and of the class grades.csv and results.json, hold
// nothing but marks and their reasons: the same results give the same bytes. The other files show
// evidence, too, in which there may be times; run.json is about the run and its machine.
package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/grading/roster"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/thinktime"
)

// Records is the folder of a submission's records, below that of its results.
const Records = "records"

// Student is a submission with its marks.
type Student struct {
	Evidence *marks.Evidence
	Sheet    marks.Sheet

	Base    string // who hands in, whatever the attempt
	Attempt string // empty: the only one
	Counts  bool   // of the attempts, this one does
	Number  int    // by which Base is called where names are not to be seen
	Who     []roster.Student
	Late    roster.Lateness
	Digest  string    // of what was handed in
	Graded  time.Time // when the last stage ended
	Version string    // of this program
	InClass []ClassGame
}

// ClassGame is a game of the class tournament that a submission lost.
type ClassGame struct {
	ID           string
	Seat         game.Side // of the submission
	Code, Reason string    // how it ended
	Plies        int
	Board        string // file of its page in [Boards]; empty: none
}

// line is what the page says of how and when the marks came about.
func (s Student) line() string {
	var said []string
	if s.Attempt != "" {
		said = append(said, "Attempt "+s.Attempt+".")
	}
	if s.Late.Known {
		said = append(said, "Handed in "+s.Late.At.Format("2006-01-02 15:04 -07:00")+", "+s.Late.String()+".")
	}
	if !s.Graded.IsZero() {
		graded := "Graded " + s.Graded.UTC().Format("2006-01-02 15:04") + " UTC"
		if s.Version != "" {
			graded += " by luzhanqi " + s.Version
		}
		said = append(said, graded+".")
	}
	if s.Digest != "" {
		said = append(said, "What was handed in has the SHA-256 digest "+s.Digest+".")
	}
	if s.Number != 0 {
		said = append(said, fmt.Sprintf("On the public page of the class this is number %d.", s.Number))
	}
	return strings.Join(said, " ")
}

// Class is what is known of all together.
type Class struct {
	Failed []Note // submissions that could not be graded, and why; it was not their fault
	Notes  []Note // what the teacher must know
	Look   []Note // what may mean something, and changes no mark
	Shut   string // how far builds and programs were shut in, in words; empty: not known
	Run    *Run   // what the run was

	// Of the class tournament, if there was one:
	Names  []string              // of those who took part
	Times  []thinktime.Histogram // of each
	Traces []sandbox.Traces      // of each
	Given  []load.Given          // to each
	Games  []standings.Game      // by the places of the names
	Table  *standings.Table      // nil: there was none
}

// Note is a text about a submission. Without a name it is about the class.
type Note struct{ Name, Text string }

// Place is where a submission came in; nil: it did not take part.
func (c *Class) Place(name string) *marks.Place {
	if c == nil || c.Table == nil {
		return nil
	}
	for _, row := range c.Table.Rows {
		if row.Name != name {
			continue
		}
		p := &marks.Place{Rank: row.Rank, Players: len(c.Table.Rows), Points: row.Points, Fouls: row.Fouls}
		p.Games = row.Games
		for _, other := range c.Table.Rows {
			switch {
			case other.Points < row.Points:
				p.Worse++
			case other.Points == row.Points && other.Player != row.Player:
				p.Level++
			}
		}
		return p
	}
	return nil
}

// Tried is what a submission tried in the tournament.
func (c *Class) Tried(name string) (none sandbox.Traces) {
	if c == nil {
		return none
	}
	if at := slices.Index(c.Names, name); at >= 0 {
		return c.Traces[at]
	}
	return none
}

// GivenTo is what a submission was given in the tournament.
func (c *Class) GivenTo(name string) (none load.Given) {
	if c == nil {
		return none
	}
	if at := slices.Index(c.Names, name); at >= 0 {
		return c.Given[at]
	}
	return none
}

// Write writes the files of one submission into a folder, which is made.
func Write(folder string, c *course.Course, s Student) error {
	return writeAll(folder, map[string]func() ([]byte, error){
		"marks.json":     func() ([]byte, error) { return Indented(s.Sheet) },
		"results.json":   func() ([]byte, error) { return gradescope(c, s) },
		"junit.xml":      func() ([]byte, error) { return junitOf(c, s) },
		"classroom.json": func() ([]byte, error) { return classroomResults(c, s) },
		"index.html":     func() ([]byte, error) { return studentPage(c, s) },
	})
}

// WriteClass writes the files of the class into a folder, which is made.
func WriteClass(folder string, c *course.Course, students []Student, class *Class) error {
	files := map[string]func() ([]byte, error){
		"grades.csv":   func() ([]byte, error) { return gradebook(c, students, class) },
		"results.json": func() ([]byte, error) { return classResults(c, students, class) },
		"junit.xml":    func() ([]byte, error) { return classJUnit(c, students, class) },
		"run.json":     func() ([]byte, error) { return runResults(class.Run, students) },
		"index.html":   func() ([]byte, error) { return classPage(c, students, class) },
		"public.html":  func() ([]byte, error) { return publicPage(c, students, class) },
	}
	if c.HasRoster || c.Attempts != "" {
		files["students.csv"] = func() ([]byte, error) { return studentBook(c, students, class) }
	}
	return writeAll(folder, files)
}

func writeAll(folder string, files map[string]func() ([]byte, error)) error {
	for name, text := range files {
		text, err := text()
		if err != nil {
			return err
		}
		if err := WriteFile(filepath.Join(folder, name), text); err != nil {
			return err
		}
	}
	return nil
}
