package grading

import (
	"errors"
	"fmt"
	"slices"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/grading/report"
	"luzhanqi/grading/roster"
)

// corrected refuses corrections of no submission.
func corrected(c *course.Course, all []submission) error {
	var wrong []error
	for _, k := range c.Corrections {
		if !slices.ContainsFunc(all, func(s submission) bool { return s.name == k.Submission || s.base == k.Submission }) {
			wrong = append(wrong, k.At(c, fmt.Errorf("there is no submission %q among %d", k.Submission, len(all))))
		}
	}
	return errors.Join(wrong...)
}

// marked is a submission with its marks, and what the teacher must know of how they came about.
func (r *run) marked(w *submissionRun) (s report.Student, notes []report.Note) {
	c := r.course
	s = report.Student{
		Evidence: w.evidence, Sheet: marks.Of(c, w.evidence), Base: w.base, Attempt: w.which,
		Digest: w.content, Graded: w.state.ended(), Version: r.o.Version, Number: r.numbered()[w.base],
	}
	note := func(format string, args ...any) {
		notes = append(notes, report.Note{Name: w.name, Text: fmt.Sprintf(format, args...)})
	}
	s.Who = roster.Of(c.Roster, w.base)
	if c.HasRoster && len(s.Who) == 0 {
		note("it is nobody's in the roster, whose lines name submissions by submission, group or id")
	}
	if c.Late != nil {
		at := w.at
		for _, who := range s.Who {
			if at.IsZero() {
				at = who.Submitted
			}
		}
		if s.Late = c.Late.Of(at, s.Who); !s.Late.Known {
			note("when it was handed in is not known, so that it counts as in time: call it NAME@TIME, or give the roster a column submitted")
		}
	}
	now, outdated := c.Correct(w.name, w.content)
	if w.base != w.name {
		more, old := c.Correct(w.base, w.content)
		now, outdated = slices.Concat(now, more), slices.Concat(outdated, old)
	}
	for _, k := range outdated {
		note("the correction of %s is for another content than what was handed in, and is not applied: its digest is %s, that of this one %.12s", k, k.Digest, w.content)
	}
	s.Sheet.Adjust(c, now, s.Late)
	return s, notes
}

// counting notes which attempt of each base counts: the last, or the one with the most points, of several the latest.
func (r *run) counting(students []report.Student) {
	best := map[string]int{}
	orders := map[string]float64{}
	for _, s := range r.all {
		orders[s.name] = s.order
	}
	for i, s := range students {
		at, there := best[s.Base]
		better := !there || s.Sheet.Score > students[at].Sheet.Score ||
			s.Sheet.Score == students[at].Sheet.Score && orders[s.Sheet.Name] > orders[students[at].Sheet.Name]
		if better {
			best[s.Base] = i
		}
	}
	for _, i := range best {
		students[i].Counts = true
	}
}

// numbered are the numbers by which those who hand in are called where names are not to be seen.
func (r *run) numbered() map[string]int {
	r.one.Lock()
	defer r.one.Unlock()
	if r.numbers == nil {
		var names []string
		for _, s := range r.all {
			if !slices.Contains(names, s.base) {
				names = append(names, s.base)
			}
		}
		r.numbers = r.seal.numbers(names)
	}
	return r.numbers
}
