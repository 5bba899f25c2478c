package grading

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"luzhanqi/grading/report"
	"luzhanqi/process/load"
	"luzhanqi/text"
)

// finish marks the submissions and writes the reports.
func (r *run) finish(ctx context.Context, works, waiting []*submissionRun, class *report.Class) (Outcome, error) {
	var outcome Outcome
	var students []report.Student
	var notes []report.Note
	var given load.Given
	lost, games, err := r.lostInClass(ctx)
	if err != nil {
		return outcome, err
	}
	if games != nil {
		defer games.Close()
	}
	for _, w := range works {
		target := filepath.Join(r.o.Out, w.folder)
		if w.err != nil {
			outcome.Failures = append(outcome.Failures, Failure{w.name, w.err})
			if err := os.RemoveAll(target); err != nil { // what is there is not of this submission
				return outcome, err
			}
			continue
		}
		w.evidence.Shut = r.shut()
		w.evidence.Place, w.evidence.Class, w.evidence.InClass = class.Place(w.name), class.Tried(w.name), class.GivenTo(w.name)
		if err := w.records(ctx, filepath.Join(target, report.Records)); err != nil {
			return outcome, err
		}
		student, about := r.marked(w)
		if student.InClass, err = w.classBoards(ctx, games, lost[w.name], filepath.Join(target, report.Boards)); err != nil {
			return outcome, err
		}
		students, outcome.Sheets = append(students, student), append(outcome.Sheets, student.Sheet)
		notes = append(notes, about...)
		given.Add(w.evidence.Given())
	}
	r.counting(students)
	for _, student := range students {
		if err := report.Write(filepath.Join(r.o.Out, student.Evidence.Folder), r.course, student); err != nil {
			return outcome, err
		}
		if waiting == nil {
			r.tell(Event{Event: "mark", Submission: student.Sheet.Name, Points: &student.Sheet.Score, Max: &student.Sheet.Max})
		}
	}
	if waiting == nil && given.Mattered() {
		r.tell(Event{Event: "given", Text: given.Said(), Given: given})
	}
	if len(r.o.Only) > 0 {
		return outcome, nil
	}
	if class == nil {
		class = &report.Class{}
	}
	for _, f := range outcome.Failures {
		class.Failed = append(class.Failed, report.Note{Name: f.Name, Text: f.Err.Error()})
	}
	for _, w := range waiting {
		class.Failed = append(class.Failed, report.Note{Name: w.name, Text: "it comes last, since the grader has ended in the middle of one of its stages"})
	}
	warnings := hopeless(works)
	class.Notes, class.Shut, class.Run = slices.Concat(warnings, r.notes, notes), r.shut(), r.described(works)
	class.Look = suspicions(works, r.found)
	if waiting == nil && len(class.Look) > 0 {
		r.tell(Event{Event: "look", Text: fmt.Sprintf("%s worth a look, which changed no mark: see “Worth a look” on the page", text.Count(len(class.Look), "thing"))})
	}
	for _, n := range warnings {
		if waiting == nil {
			r.tell(Event{Event: "suspect", Text: n.Text})
		}
	}
	if len(students) > 0 && waiting != nil {
		r.tell(Event{Event: "saved", Text: fmt.Sprintf("the marks of %s are written; now those in the middle of whose stages the grader has ended",
			text.Count(len(students), "submission"))})
	}
	return outcome, report.WriteClass(filepath.Join(r.o.Out, classFolder), r.course, students, class)
}

// described is what this run was, up to now.
func (r *run) described(works []*submissionRun) *report.Run {
	d := &report.Run{Run: r.o.Load, Version: r.o.Version, During: r.o.Load.During(), Ended: time.Now()}
	count := func(s *state) {
		for _, own := range s.fresh {
			if own {
				d.Done++
			} else {
				d.Kept++
			}
		}
	}
	for _, w := range works {
		count(w.state)
	}
	count(r.played)
	return d
}
