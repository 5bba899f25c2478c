// Package grading turns submissions into marks: it unpacks, builds and checks each of them, lets it play
// against fixed staff levels, and perhaps all of them against each other, and writes marks with the
// reason for every lost point.
//
// [Run] is the entry point. Sub-packages: course reads what is to be done, archive unpacks, marks judges,
// report writes.
//
// What every stage has found is written to disk before the next begins, and a run goes on from what it finds
// there. A stage is done again only if something has changed that it depends on: the content of the
// submission, the commands, the limits, the seed. Marks are worked out anew each time, so that points and
// curves may change at no cost.
//
// A failure of this machine costs no submission anything: it has no marks then, and the next run tries
// again.
package grading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/grading/report"
	"luzhanqi/tournament/store"
)

// Options say how it is done. None of them changes marks.
type Options struct {
	Out         string   // directory of the results
	Only        []string // names of submissions; empty: all
	Concurrency int      // submissions, or games of the class tournament, at a time
	Version     string   // written into records
	Events      func(Event)
}

// Event is something that was done.
type Event struct {
	Event      string   `json:"event"` // stage, again, failed, mark or class
	Submission string   `json:"submission,omitempty"`
	Stage      string   `json:"stage,omitempty"`
	Text       string   `json:"text,omitempty"`
	Points     *float64 `json:"points,omitempty"`
	Max        *float64 `json:"max,omitempty"`
}

// Failure is a submission that could not be graded, which is not its fault.
type Failure struct {
	Name string
	Err  error
}

// Outcome is what has come of a run.
type Outcome struct {
	Sheets   []marks.Sheet
	Failures []Failure
}

// ErrInput is what Run returns if nothing can be done: a folder or a name is not there.
var ErrInput = errors.New("cannot be graded")

// run is one run.
type run struct {
	course *course.Course
	o      Options
	one    sync.Mutex // of events
}

// Run grades. An error is about the whole; submissions that could not be graded are in the outcome.
func Run(ctx context.Context, c *course.Course, o Options) (Outcome, error) {
	all, err := find(c)
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	chosen, err := only(all, o.Only)
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	lock, err := store.Lock(filepath.Join(o.Out, workFolder), grades)
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: the folder for results: %w", ErrInput, err)
	}
	defer lock.Unlock()
	r := &run{course: c, o: o}
	works := r.each(ctx, chosen)
	if err := ctx.Err(); err != nil {
		return Outcome{}, context.Cause(ctx)
	}
	var class *report.Class
	if len(o.Only) == 0 && !slices.ContainsFunc(works, func(w *submissionRun) bool { return w.err != nil }) {
		class, err = r.class(ctx, works)
	} else {
		class, err = r.placed(works) // ranks are final only when all have played
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("class tournament: %w", err)
	}
	return r.finish(ctx, works, class)
}

// grades is what a process does that holds the lock on the work folder.
const grades = "grades"

// only chooses by name.
func only(all []submission, names []string) ([]submission, error) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s submission) bool { return s.name == name }) {
			return nil, fmt.Errorf("there is no submission %q among %d", name, len(all))
		}
	}
	return slices.DeleteFunc(all, func(s submission) bool { return !slices.Contains(names, s.name) }), nil
}

// each takes every submission through its stages, several at a time.
func (r *run) each(ctx context.Context, chosen []submission) []*submissionRun {
	works := make([]*submissionRun, len(chosen))
	turns := make(chan struct{}, max(r.o.Concurrency, 1))
	var running sync.WaitGroup
	for i, s := range chosen {
		works[i] = &submissionRun{run: r, submission: s, dir: filepath.Join(r.o.Out, workFolder, s.folder)}
		turns <- struct{}{}
		running.Go(func() {
			defer func() { <-turns }()
			if ctx.Err() != nil {
				return
			}
			if works[i].err = works[i].do(ctx); works[i].err != nil && ctx.Err() == nil {
				r.tell(Event{Event: "failed", Submission: s.name, Text: works[i].err.Error()})
			}
		})
	}
	running.Wait()
	return works
}

func (r *run) tell(e Event) {
	r.one.Lock()
	defer r.one.Unlock()
	if r.o.Events != nil {
		r.o.Events(e)
	}
}

// finish marks all submissions and writes the reports.
func (r *run) finish(ctx context.Context, works []*submissionRun, class *report.Class) (Outcome, error) {
	var outcome Outcome
	var students []report.Student
	for _, w := range works {
		target := filepath.Join(r.o.Out, w.folder)
		if w.err != nil {
			outcome.Failures = append(outcome.Failures, Failure{w.name, w.err})
			if err := os.RemoveAll(target); err != nil { // what is there is not of this submission
				return outcome, err
			}
			continue
		}
		w.evidence.Place = class.Place(w.name)
		if err := w.records(ctx, filepath.Join(target, report.Records)); err != nil {
			return outcome, err
		}
		sheet := marks.Of(r.course, w.evidence)
		student := report.Student{Evidence: w.evidence, Sheet: sheet}
		if err := report.Write(target, r.course, student); err != nil {
			return outcome, err
		}
		r.tell(Event{Event: "mark", Submission: w.name, Points: &sheet.Score, Max: &sheet.Max})
		students, outcome.Sheets = append(students, student), append(outcome.Sheets, sheet)
	}
	if len(r.o.Only) > 0 {
		return outcome, nil
	}
	if class == nil {
		class = &report.Class{}
	}
	for _, f := range outcome.Failures {
		class.Failed = append(class.Failed, report.Failed{Name: f.Name, Reason: f.Err.Error()})
	}
	return outcome, report.WriteClass(filepath.Join(r.o.Out, classFolder), r.course, students, class)
}

// The folders besides those of submissions.
const (
	workFolder  = "work"
	classFolder = "class"
)
