package courses

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"luzhanqi/grading"
	"luzhanqi/grading/marks"
)

// State is how far a submission is.
type State string

// The states.
const (
	Waits   State = "waiting"
	Graded  State = "graded"
	Grading State = "grading"
	Again   State = "again" // it could not be graded, through no fault of its own, and will be tried again
	Past    State = "past"  // it is not graded, since a later attempt counts
)

// States are all states.
var States = []State{Waits, Grading, Graded, Again, Past}

// View is what somebody may see of a course at one time.
type View struct {
	Title, Game string
	Closed      string    // why nothing can be handed in; empty: it can
	Due         time.Time // zero: at no time
	Busy        bool      // somebody grades
	Waiting     int       // submissions, of all students
	Public      bool      // the page of the class with numbers is there
	Class       bool      // and that with names
	Problem     string    // for teachers
	Attempts    []Attempt // the newest first
}

// Attempt is a submission.
type Attempt struct {
	Name    string // of the submission
	Student string // under which it was handed in
	Which   string // of the student's
	At      time.Time
	Folder  string // of its results
	State   State
	Line    int // its place among those that wait, from 1; 0: it does not wait here
	Steps   []Step
	Against string // the level that it plays now; empty: none
	Games   int    // that it has played there
	Score   float64
	Max     float64
	Trouble string // for teachers: why it could not be graded
}

// Step is a stage that is over.
type Step struct {
	Stage string // as in the events of luzhanqi grade
	Text  string
}

// recent is for how long what was seen of the folders is taken for what is there: everybody who follows a course asks for it.
const recent = time.Second

// Look is what is known of the submissions of one student, or of all of them if nobody is named.
func (s *Served) Look(student string) (*View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.whole == nil || time.Since(s.looked) > recent {
		v, err := s.look()
		if err != nil {
			return nil, err
		}
		s.whole, s.looked = v, time.Now()
	}
	if v := *s.whole; student != "" {
		v.Problem, v.Attempts = "", nil
		for _, a := range s.whole.Attempts {
			if a.Student == student {
				a.Trouble = ""
				v.Attempts = append(v.Attempts, a)
			}
		}
		return &v, nil
	}
	v := *s.whole
	v.Attempts = slices.Clone(v.Attempts)
	return &v, nil
}

// look is what is known of all submissions. The lock is held.
func (s *Served) look() (*View, error) {
	c := s.now()
	handed, err := grading.HandedIn(c)
	if err != nil {
		return nil, err
	}
	v := &View{Title: c.Title, Game: c.Game.Name(), Closed: s.closed(), Busy: len(s.grading) > 0 || s.all, Problem: s.problem}
	if c.Late != nil {
		v.Due = c.Late.Due
	}
	if !v.Busy {
		if v.Busy, err = grading.Grading(s.Out); err != nil {
			return nil, err
		}
	}
	v.Public, v.Class = s.has("class/public.html"), s.has("class/index.html")
	line := s.line(handed)
	v.Waiting = len(line)
	places := map[string]int{}
	for i, h := range line {
		places[h.Name] = i + 1
	}
	for _, h := range handed {
		v.Attempts = append(v.Attempts, s.attempt(h, places[h.Name]))
	}
	slices.SortFunc(v.Attempts, func(a, b Attempt) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Name, b.Name)) })
	return v, nil
}

// closed is why nothing can be handed in.
func (s *Served) closed() string {
	if !s.Rules.Uploads {
		return "nothing is taken in here; your teacher says how to hand in"
	}
	return s.unsealed
}

func (s *Served) has(file string) bool {
	_, err := os.Stat(filepath.Join(s.Out, filepath.FromSlash(file)))
	return err == nil
}

// attempt is a submission as it stands.
func (s *Served) attempt(h grading.Handed, line int) Attempt {
	a := Attempt{Name: h.Name, Student: h.Base, Which: h.Attempt, At: h.At, Folder: h.Folder, State: Waits, Line: line}
	if p := s.grading[h.Name]; p != nil {
		a.State, a.Line, a.Steps, a.Against, a.Games = Grading, 0, slices.Clone(p.steps), p.against, p.games
		return a
	}
	if m, ok := s.sheet(h); ok {
		a.State, a.Line, a.Score, a.Max = Graded, 0, m.Score, m.Max
		for _, i := range m.Items {
			said := fmt.Sprintf("%s: %s of %s", i.Title, marks.Format(i.Points), marks.Format(i.Max))
			if !strings.EqualFold(i.Summary, i.Title) {
				said += ". " + i.Summary
			}
			a.Steps = append(a.Steps, Step{string(i.Kind), said})
		}
		return a
	}
	t, tried := s.trouble[h.Name]
	switch {
	case h.Past:
		a.State, a.Line = Past, 0
	case tried:
		a.State, a.Trouble = Again, t.err.Error()
	}
	return a
}

// sheet is the marks of a submission, if there are any.
func (s *Served) sheet(h grading.Handed) (sheet, bool) {
	file := filepath.Join(s.Out, h.Folder, "marks.json")
	info, err := os.Stat(file)
	if err != nil {
		delete(s.sheets, h.Name)
		return sheet{}, false
	}
	if known, ok := s.sheets[h.Name]; ok && known.written.Equal(info.ModTime()) {
		return known, true
	}
	m := sheet{written: info.ModTime()}
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &m.Sheet) != nil {
		return m, false
	}
	s.sheets[h.Name] = m
	return m, true
}

// line are the submissions that wait to be graded here, in the order in which they will be: those in the middle of whose stages
// the grader has ended come last, so that none of them keeps the others waiting for ever.
func (s *Served) line(handed []grading.Handed) (line []grading.Handed) {
	if !s.Rules.Uploads || s.unsealed != "" {
		return nil
	}
	ends := map[string]int{}
	for _, h := range handed {
		if _, graded := s.sheet(h); !graded && !h.Past && s.grading[h.Name] == nil {
			line = append(line, h)
			ends[h.Name] = h.Ends(s.Out)
		}
	}
	slices.SortStableFunc(line, func(a, b grading.Handed) int {
		return cmp.Or(s.trouble[a.Name].again.Compare(s.trouble[b.Name].again), cmp.Compare(ends[a.Name], ends[b.Name]), a.At.Compare(b.At))
	})
	return line
}
