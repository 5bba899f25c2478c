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
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/grading/report"
	"luzhanqi/grading/tree"
	"luzhanqi/process"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
)

// Options say how it is done. None of them changes marks.
type Options struct {
	Out         string          // directory of the results
	Only        []string        // names of submissions; empty: all
	Concurrency int             // submissions, or games of the class tournament, at a time
	Version     string          // written into records
	Sandbox     sandbox.Profile // of builds and programs
	Load        load.Run        // what was known of the machine before; zero: it is looked at
	Events      func(Event)
	Played      func(name, level string, games int) // how many games a submission has played against a level by now; nil: nobody asks
	// OwnSeeds: the games of a submission against levels, and those of its check, depend on its content, too: who hands in anew because of
	// what came of the first time meets other set-ups. Then nobody can be found to play as another does.
	OwnSeeds bool
	Pages    bool // of the class, those are written, and its tournament is left as it was played last
}

// Event is something that was done.
type Event struct {
	Event      string   `json:"event"` // stage, again, changed, ended, saved, failed, mark, class, given, suspect or look
	Submission string   `json:"submission,omitempty"`
	Stage      string   `json:"stage,omitempty"`
	Text       string   `json:"text,omitempty"`
	Points     *float64 `json:"points,omitempty"`
	Max        *float64 `json:"max,omitempty"`
	load.Given          // of the event given: what all submissions that were graded were given, in the games that their marks rest on
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
	course  *course.Course
	o       Options
	number  string // of no other run
	frozen  bool   // nothing is graded, and only written what is known
	all     []submission
	numbers map[string]int
	seal    seal
	sources sources
	played  *state // of the class tournament
	found   *classFound

	one      sync.Mutex
	notes    []report.Note // for the teacher
	executed bool          // something of a submission
}

// Run grades. An error is about the whole; submissions that could not be graded are in the outcome.
func Run(ctx context.Context, c *course.Course, o Options) (Outcome, error) {
	all, err := find(c)
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if err := errors.Join(known(all, o.Only), corrected(c, all)); err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if rest, err := filepath.Rel(c.Submissions, o.Out); c.Submissions != "" && err == nil && filepath.IsLocal(rest) {
		return Outcome{}, fmt.Errorf("%w: the folder for results %s lies in that of submissions, where each entry is graded; give another", ErrInput, o.Out)
	}
	release, err := hold(o.Out)
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: the folder for results: %w", ErrInput, err)
	}
	defer release()
	process.Isolation() // tries what the machine offers
	for _, folder := range c.Read {
		err := tree.CheckRead(folder, o.Out)
		if err == nil && o.Sandbox == sandbox.Sealed {
			err = sandbox.Readable(folder)
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("%w: [sandbox] read: %w", ErrInput, err)
		}
	}
	if o.Load.Started.IsZero() {
		o.Load = load.Begin(o.Concurrency)
	}
	process.AtATime(2 * o.Concurrency)
	r := &run{course: c, o: o, number: rand.Text(), all: all}
	works, err := r.open(all)
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: the folder for results: %w", ErrInput, err)
	}
	return r.grade(ctx, works)
}

// grade takes the submissions to their marks. Nothing of any of them is executed before all are received.
func (r *run) grade(ctx context.Context, works []*submissionRun) (Outcome, error) {
	first, last := r.suspects(works)
	unpackable := slices.DeleteFunc(slices.Clone(works), (*submissionRun).bursts)
	r.each(ctx, unpackable, r.o.Concurrency, (*submissionRun).receive)
	if err := r.received(works); err != nil {
		return Outcome{}, err
	}
	r.each(ctx, first, r.o.Concurrency, (*submissionRun).do)
	for i, w := range last { // each alone, with the marks of those before it on the disk
		if _, err := r.conclude(ctx, slices.Concat(first, last[:i]), last[i:]); err != nil {
			return Outcome{}, err
		}
		one := []*submissionRun{w}
		if w.bursts() {
			r.each(ctx, one, 1, (*submissionRun).receive)
		}
		r.each(ctx, one, 1, (*submissionRun).do)
	}
	return r.conclude(ctx, works, nil)
}

// conclude plays the class tournament and writes what is known of all but those that are still to come.
func (r *run) conclude(ctx context.Context, works, waiting []*submissionRun) (Outcome, error) {
	if ctx.Err() != nil {
		return Outcome{}, context.Cause(ctx)
	}
	if err := r.verify(ctx, works); err != nil {
		return Outcome{}, err
	}
	class, err := r.classOf(ctx, works, waiting)
	if err != nil {
		return Outcome{}, fmt.Errorf("class tournament: %w", err)
	}
	if waiting == nil {
		if err := r.unchanged(ctx, works); err != nil {
			return Outcome{}, err
		}
	}
	return r.finish(ctx, works, waiting, class)
}

// classOf is the class tournament: played if all have come so far that ranks are final, else as it was played last.
func (r *run) classOf(ctx context.Context, works, waiting []*submissionRun) (*report.Class, error) {
	stopped := func(w *submissionRun) bool { return w.err != nil }
	if r.o.Pages || len(r.o.Only) > 0 || slices.ContainsFunc(works, stopped) || slices.ContainsFunc(waiting, func(w *submissionRun) bool { return !w.stubborn() }) {
		return r.placed(works)
	}
	class, err := r.class(ctx, works)
	if err != nil {
		return nil, err
	}
	if err := r.verify(ctx, works); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(works, stopped) {
		return class, nil
	}
	r.played.forget("class")
	if err := errors.Join(r.played.save(), remove(r.classGames())); err != nil {
		return nil, err
	}
	return nil, nil
}

// grades is what a process does that holds the lock on the work folder.
const grades = "grades"

// known refuses names of no submission.
func known(all []submission, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s submission) bool { return s.name == name }) {
			return fmt.Errorf("there is no submission %q among %d", name, len(all))
		}
	}
	return nil
}

// open reads what is known of all submissions, before anything is executed that could change it, and returns the chosen
// ones.
func (r *run) open(all []submission) (chosen []*submissionRun, err error) {
	folder := filepath.Join(r.o.Out, workFolder, stateFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		return nil, err
	}
	if r.seal, err = openSeal(folder); err != nil {
		return nil, err
	}
	if r.course.SeedDrawn {
		c := *r.course
		c.Seed = seedOf(hex.EncodeToString(r.seal)) // from which nobody can tell the key
		r.course = &c
	}
	var states []*state
	for _, s := range all {
		w := &submissionRun{run: r, submission: s, dir: filepath.Join(folder, s.folder)}
		if w.state, err = readState(w.dir, s.name, r.seal, r.number); errors.Is(err, errAltered) {
			w.note(Event{Event: "again", Text: err.Error() + "; all of it is done again"})
			err = remove(w.dir)
		}
		if err != nil {
			return nil, err
		}
		states = append(states, w.state)
		if len(r.o.Only) == 0 || slices.Contains(r.o.Only, s.name) {
			chosen = append(chosen, w)
		}
	}
	blame(states)
	if r.played, err = readState(filepath.Join(folder, classWork), classWork, r.seal, r.number); errors.Is(err, errAltered) {
		r.note(Event{Event: "again", Text: "of the class tournament " + err.Error() + "; it is played again"})
		err = remove(filepath.Join(folder, classWork))
	}
	return chosen, err
}

// each takes submissions through a part of their way, several at a time.
func (r *run) each(ctx context.Context, works []*submissionRun, atATime int, part func(*submissionRun, context.Context) error) {
	turns := make(chan struct{}, max(atATime, 1))
	var running sync.WaitGroup
	for _, w := range works {
		turns <- struct{}{}
		running.Go(func() {
			defer func() { <-turns }()
			if ctx.Err() != nil || w.err != nil {
				return
			}
			if w.err = part(w, ctx); w.err != nil && ctx.Err() == nil {
				r.tell(Event{Event: "failed", Submission: w.name, Text: w.err.Error()})
			}
		})
	}
	running.Wait()
}

// verify makes sure that what was built is what was played with, if anything has been executed since it was looked at, and
// that what is known of the submissions is on the disk as it was written.
func (r *run) verify(ctx context.Context, works []*submissionRun) error {
	if !r.executed {
		return nil
	}
	for _, w := range works {
		altered, err := w.state.restore()
		if err != nil {
			return err
		}
		if altered {
			w.note(Event{Event: "again", Text: errAltered.Error() + ", in this run; it was written again, and marks are not touched"})
		}
	}
	r.each(ctx, works, r.o.Concurrency, (*submissionRun).settled)
	return ctx.Err()
}

func (r *run) tell(e Event) {
	r.one.Lock()
	defer r.one.Unlock()
	if r.o.Events != nil {
		r.o.Events(e)
	}
}

// note tells what a teacher must know, and keeps it for the page of the class.
func (r *run) note(e Event) {
	r.tell(e)
	r.one.Lock()
	defer r.one.Unlock()
	r.notes = append(r.notes, report.Note{Name: e.Submission, Text: e.Text})
}

// executes notes that something of a submission is about to be executed.
func (r *run) executes() {
	r.one.Lock()
	defer r.one.Unlock()
	r.executed = true
}

// The folders besides those of submissions.
const (
	workFolder  = "work"
	classFolder = "class"
)

// The folders of work. What programs and builds may write is in one of them, and all that the grader goes by in another.
const (
	stateFolder = "state"
	treesFolder = "trees"
)
