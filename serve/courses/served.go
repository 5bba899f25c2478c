// Package courses shows courses while they are graded and afterwards, and takes submissions in.
//
// What is handed in lies in the course's folder of submissions, as an attempt by its time, and what has come of it in the folder
// of results: exactly where `luzhanqi grade` looks for the one and writes the other. There is no other queue than these two
// folders: what has no marks yet waits. So whatever ends the server, nothing is lost, and the grader goes on where it stopped.
//
// [Served.Hand] takes a submission in, [Served.Grade] grades what waits by grading.Run, always sealed, [Served.Look] is what a
// student or a teacher may see.
package courses

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/process"
)

// Rules say what is taken in, and how it is graded.
type Rules struct {
	Uploads     bool          // anything is, and is graded here
	Most        int           // attempts of a student
	Every       time.Duration // at least between two of them
	Bytes       int64         // of an archive
	Concurrency int           // submissions graded at a time
}

// Options are what a server says of a course.
type Options struct {
	Name    string
	File    string // of the course
	Out     string // folder of the results
	Version string
	Rules   Rules
	Turn    chan struct{} // of those who grade: one course of a server does at a time
	Warn    func(error)   // told what keeps from grading
}

// Served is a course that is shown.
type Served struct {
	Options

	mu       sync.Mutex
	folder   string // of submissions, which does not change while uploads are served
	course   *course.Course
	problem  string // why what the file says now cannot be read
	stamps   []time.Time
	unsealed string // why this machine does not grade strangers' programs; empty: it does

	grading map[string]*progress // submissions
	all     bool                 // all of them are
	trouble map[string]trouble
	coming  map[string]bool // students whose upload is on its way
	sheets  map[string]sheet
	whole   *View         // for a teacher, as it was last looked at; nil: something has changed since
	looked  time.Time     // when that was
	changed chan struct{} // closed when something has changed
	wake    chan struct{} // something waits
}

// progress is how far a submission is that is being graded.
type progress struct {
	steps   []Step
	against string // the level that it plays
	games   int    // that are over
	told    time.Time
}

// trouble is why a submission could not be graded, which is not its fault.
type trouble struct {
	err   error
	times int
	again time.Time
}

// sheet is marks as they were read.
type sheet struct {
	written time.Time
	marks.Sheet
}

// Open reads a course. Without a folder for results it is that of luzhanqi grade.
func Open(o Options) (*Served, error) {
	c, err := course.Load(o.File)
	if err != nil {
		return nil, err
	}
	s := &Served{Options: o}
	if s.Out == "" {
		s.Out = c.Results()
	}
	if s.Out, err = filepath.Abs(s.Out); err != nil {
		return nil, err
	}
	s.course, s.stamps, s.folder = c, stamps(c), c.Submissions
	s.grading, s.trouble, s.coming, s.sheets = map[string]*progress{}, map[string]trouble{}, map[string]bool{}, map[string]sheet{}
	s.changed, s.wake = make(chan struct{}), make(chan struct{}, 1)
	if !s.Rules.Uploads {
		return s, nil
	}
	switch {
	case c.Submissions == "":
		return nil, errors.New("uploads: the course has no folder of submissions, into which they could be put")
	case c.Attempts == "":
		return nil, errors.New("uploads: the course has no [attempts], by which it would know several uploads of a student, and when each came")
	}
	if rest, err := filepath.Rel(c.Submissions, s.Out); err == nil && filepath.IsLocal(rest) {
		return nil, fmt.Errorf("results: %s lies in the folder of submissions, where each entry is graded", s.Out)
	}
	if reached := process.Isolation(); reached.Sealed() != nil {
		s.unsealed = "this machine cannot seal programs in: " + reached.Why
	}
	return s, s.tidy()
}

// tidy removes what uploads that were cut off have left.
func (s *Served) tidy() error {
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.folder)
	for _, e := range entries {
		if info, _ := e.Info(); info != nil && strings.HasPrefix(e.Name(), unfinished) && time.Since(info.ModTime()) > maxUpload {
			err = errors.Join(err, os.Remove(filepath.Join(s.folder, e.Name())))
		}
	}
	return err
}

// stamps are when the files of a course were written.
func stamps(c *course.Course) (all []time.Time) {
	for _, file := range []string{c.File(), c.RosterFile} {
		if info, err := os.Stat(file); err == nil {
			all = append(all, info.ModTime())
		}
	}
	return all
}

// now is the course as its file has it; what cannot be read leaves it as it was. The lock is held.
func (s *Served) now() *course.Course {
	if now := stamps(s.course); !slices.EqualFunc(now, s.stamps, time.Time.Equal) {
		s.stamps = now
		c, err := course.Load(s.File)
		switch {
		case err != nil:
			s.problem = err.Error()
		case s.Rules.Uploads && (c.Submissions != s.folder || c.Attempts == ""):
			s.problem = "submissions and [attempts] cannot change while uploads are served: start the server again"
		default:
			s.course, s.problem = c, ""
		}
	}
	return s.course
}

// Of is the name under which a student hands in: the group's, if the roster has one.
func (s *Served) Of(student string) (name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.now()
	if !c.HasRoster {
		return student, plain(student)
	}
	for _, one := range c.Roster {
		if one.ID == student {
			return one.Submission, plain(one.Submission)
		}
	}
	return "", fmt.Errorf("the roster has nobody whose id is %q", student)
}

// Hands says whether somebody hands in under a name.
func (s *Served) Hands(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.now()
	for _, one := range c.Roster {
		if one.Submission == name {
			return true
		}
	}
	return !c.HasRoster && plain(name) == nil
}

// plain says whether something that is handed in can be called so: it becomes the name of a file.
func plain(name string) error {
	for i, c := range name {
		if letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'; !letter && (i == 0 || !strings.ContainsRune("-_.", c)) {
			return fmt.Errorf("found %q; allowed are letters and digits, and behind the first of them also dots, hyphens and underscores", name)
		}
	}
	if name == "" || len(name) > 60 {
		return fmt.Errorf("found %q, of %d bytes; allowed are 1 to 60", name, len(name))
	}
	return nil
}

// Changed is closed when something has changed.
func (s *Served) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// change tells that something has changed. The lock is held.
func (s *Served) change() {
	s.whole = nil
	close(s.changed)
	s.changed = make(chan struct{})
}
