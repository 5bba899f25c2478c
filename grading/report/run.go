package report

import (
	"fmt"
	"time"

	"luzhanqi/process/load"
	"luzhanqi/text"
)

// runSchema is the version of class/run.json. New members may be added within one.
const runSchema = 1

// Run is what a run of the grader was, for the page of the class and class/run.json.
type Run struct {
	load.Run
	Version string // of this program
	During  load.Share
	Ended   time.Time
	// Done is how many stages of submissions, the class tournament included, were done in this run, and Kept how many were
	// taken from earlier ones.
	Done, Kept int
}

// runJSON is class/run.json. docs/grading.md says what its members mean.
type runJSON struct {
	Schema      int             `json:"schema"`
	Version     string          `json:"version"`
	Started     time.Time       `json:"started"`
	Ended       time.Time       `json:"ended"`
	Took        float64         `json:"took_ms"`
	Concurrency int             `json:"concurrency"`
	Processors  int             `json:"processors"`
	Load        loadJSON        `json:"load"`
	Stages      stagesJSON      `json:"stages"`
	Turns       turnsJSON       `json:"turns"`
	Submissions []submissionRun `json:"submissions"`
}

type loadJSON struct {
	Before *float64 `json:"before"`
	During *float64 `json:"during"`
}

type stagesJSON struct {
	Done int `json:"done"`
	Kept int `json:"kept"`
}

// turnsJSON is load.Given with all of its members, also those that are zero.
type turnsJSON struct {
	Starved float64 `json:"starved_ms"`
	Turns   int     `json:"given_turns"`
	Time    float64 `json:"given_ms"`
	Late    int     `json:"late_turns"`
}

type submissionRun struct {
	Name string `json:"name"`
	turnsJSON
}

// runResults writes run.json.
func runResults(r *Run, students []Student) ([]byte, error) {
	out := runJSON{
		Schema: runSchema, Version: r.Version, Started: r.Started.UTC(), Ended: r.Ended.UTC(), Took: text.Milliseconds(r.Ended.Sub(r.Started)),
		Concurrency: r.Concurrency, Processors: r.Processors, Load: loadJSON{known(r.Before), known(r.During)}, Stages: stagesJSON{r.Done, r.Kept},
		Turns: turnsJSON(given(students)), Submissions: []submissionRun{},
	}
	for _, s := range affected(students) {
		out.Submissions = append(out.Submissions, submissionRun{s.Sheet.Name, turnsJSON(s.Evidence.Given())})
	}
	return Indented(out)
}

func known(s load.Share) *float64 {
	if !s.Known() {
		return nil
	}
	return (*float64)(&s)
}

// given is what all submissions were given.
func given(students []Student) (sum load.Given) {
	for _, s := range students {
		sum.Add(s.Evidence.Given())
	}
	return sum
}

// affected are those for whom it mattered.
func affected(students []Student) (all []Student) {
	for _, s := range students {
		if s.Evidence.Given().Mattered() {
			all = append(all, s)
		}
	}
	return all
}

// day is when the run ended, and by which version of the program, for pages that say nothing of machines.
func (r *Run) day() string {
	said := r.Ended.UTC().Format("2006-01-02 15:04") + " UTC"
	if r.Version != "" {
		said += " by luzhanqi " + r.Version
	}
	return said
}

// String is for the page of the class.
func (r *Run) String() string {
	said := fmt.Sprintf("Graded from %s to %s UTC, %s at a time on %s", r.Started.UTC().Format(time.DateTime), r.Ended.UTC().Format(time.DateTime),
		text.Count(r.Concurrency, "submission"), text.Count(r.Processors, "processor"))
	if r.During.Known() {
		said += fmt.Sprintf(", in %.0f %% of the time something waited for one", 100*r.During)
	}
	if r.Kept > 0 {
		said += fmt.Sprintf("; %d of %s were taken from earlier runs", r.Kept, text.Count(r.Done+r.Kept, "stage"))
	}
	said += "."
	if r.Version != "" {
		said += " By luzhanqi " + r.Version + "."
	}
	return said
}
