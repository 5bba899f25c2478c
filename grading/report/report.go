// Package report writes marks down: for each submission results.json as Gradescope reads it, JUnit XML,
// marks.json and a page; for the class a table for the gradebook, JSON, JUnit XML, a page, and what the run was.
//
// [Write] and [WriteClass] are the entry points. marks.json, and of the class grades.csv and results.json, hold
// nothing but marks and their reasons: the same results give the same bytes. The other files show
// evidence, too, in which there may be times; run.json is about the run and its machine.
package report

import (
	"path/filepath"
	"slices"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
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
}

// Class is what is known of all together.
type Class struct {
	Failed []Note // submissions that could not be graded, and why; it was not their fault
	Notes  []Note // what the teacher must know
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
		"marks.json":   func() ([]byte, error) { return Indented(s.Sheet) },
		"results.json": func() ([]byte, error) { return gradescope(c, s) },
		"junit.xml":    func() ([]byte, error) { return junitOf(c, s) },
		"index.html":   func() ([]byte, error) { return studentPage(c, s) },
	})
}

// WriteClass writes the files of the class into a folder, which is made.
func WriteClass(folder string, c *course.Course, students []Student, class *Class) error {
	return writeAll(folder, map[string]func() ([]byte, error){
		"grades.csv":   func() ([]byte, error) { return gradebook(c, students, class) },
		"results.json": func() ([]byte, error) { return classResults(c, students, class) },
		"junit.xml":    func() ([]byte, error) { return classJUnit(c, students, class) },
		"run.json":     func() ([]byte, error) { return runResults(class.Run, students) },
		"index.html":   func() ([]byte, error) { return classPage(c, students, class) },
	})
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
