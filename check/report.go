package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// Verdict sums up what a step found.
type Verdict string

// The verdicts. The list is closed.
const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	Skip Verdict = "skip" // not asked for by the protocol, not possible, or an earlier step failed
)

// Report holds all results of a check.
type Report struct {
	Subject string   `json:"subject"` // command line
	Role    string   `json:"role"`    // "program" or "referee"
	Game    string   `json:"game"`
	Dialect string   `json:"dialect"`
	Adapter string   `json:"adapter,omitempty"`
	Seed    uint64   `json:"seed"`
	Steps   []Result `json:"steps"`
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	Took    float64  `json:"took_ms"`
	// Again says of each game in which the program exceeded a limit, and which was played again therefore, what came of it.
	Again []string `json:"again,omitempty"`
	// Recognised lists what the program's adapter found in its output, if it has one.
	Recognised []string `json:"recognised,omitempty"`
	// Given is what the program was given in all games because others had the processors.
	load.Given
	// Traces are what the program was refused, and changed, in all games.
	sandbox.Traces
}

// Result is the verdict of one step, and why.
type Result struct {
	Step    string   `json:"step"`
	Title   string   `json:"title"` // what a program does that passes
	Verdict Verdict  `json:"verdict"`
	Note    string   `json:"note,omitempty"` // of a pass: numbers; of a skip: the reason
	Failure *Failure `json:"failure,omitempty"`
	Took    float64  `json:"took_ms"`
}

// Failure says why a step failed, so that nothing else needs to be looked up.
type Failure struct {
	Expected    string   `json:"expected"`
	Happened    string   `json:"happened"`
	LastLines   []string `json:"last_lines,omitempty"` // "> " sent to the program, "< " received from it
	Exit        string   `json:"exit,omitempty"`
	Stderr      string   `json:"stderr,omitempty"` // its end
	StderrBytes int64    `json:"stderr_bytes,omitempty"`
	Again       string   `json:"again,omitempty"`  // a command line that runs this step alone
	Record      string   `json:"record,omitempty"` // file
	RecordText  []byte   `json:"-"`                // of the game; nil: there is none
	Fouls       []Foul   `json:"fouls,omitempty"`  // of steps with many games: each kind once
}

// Foul is one kind of foul in a number of games.
type Foul struct {
	Code       referee.Code `json:"code"`
	Count      int          `json:"count"`
	First      string       `json:"first"` // what happened the first time
	Record     string       `json:"record,omitempty"`
	RecordText []byte       `json:"-"`
}

// Step is something that is checked.
type Step struct {
	Name  string   `json:"step"`
	Title string   `json:"title"`
	Needs []string `json:"needs,omitempty"` // steps without which this one says nothing

	run func() finding
}

// finding is the result of a step's function.
type finding struct {
	verdict  Verdict
	absent   bool // of a skip: there is nothing to check, which is no obstacle for others
	late     bool // of a failure: a limit was exceeded, which is no obstacle either
	note     string
	expected string
	happened string
	evidence evidence
}

// evidence is shown with a failure.
type evidence struct {
	step        string // whose game it was
	lines       []string
	exit        string
	stderr      string
	stderrBytes int64
	record      []byte
	fouls       []Foul
}

func passed(format string, args ...any) finding {
	return finding{verdict: Pass, note: fmt.Sprintf(format, args...)}
}

func skipped(format string, args ...any) finding {
	return finding{verdict: Skip, note: fmt.Sprintf(format, args...)}
}

// absent is a skip of what the game or the dialect does not have.
func absent(format string, args ...any) finding {
	f := skipped(format, args...)
	f.absent = true
	return f
}

func failed(e evidence, expected, format string, args ...any) finding {
	return finding{verdict: Fail, expected: expected, happened: fmt.Sprintf(format, args...), evidence: e}
}

// optional turns a failure into a skip that says what happened: the protocol does not ask for it.
func (f finding) optional() finding {
	if f.verdict == Fail {
		return skipped("no matter, for no referee does so: %s", f.happened)
	}
	return f
}

// run takes the steps in their order. A step that was not asked for runs only if another needs it, and
// is not reported.
func (r *Report) run(ctx context.Context, steps []Step, o Options) error {
	begin := time.Now()
	found := map[string]finding{}
	var get func(name string) finding
	get = func(name string) finding {
		f, ok := found[name]
		if ok {
			return f
		}
		s := steps[slices.IndexFunc(steps, func(s Step) bool { return s.Name == name })]
		for _, need := range s.Needs {
			before := get(need)
			if before.verdict == Pass || before.absent || before.late {
				continue // what came late, or not at all, says nothing of what came in time
			}
			f, ok = skipped("%s", before.note), true
			if before.verdict == Fail {
				f.note = fmt.Sprintf("it needs %s, which failed", need)
			}
			break
		}
		if !ok {
			f = s.run()
		}
		found[name] = f
		return f
	}
	for _, s := range steps {
		if len(o.Only) > 0 && !slices.Contains(o.Only, s.Name) {
			continue
		}
		start := time.Now()
		f := get(s.Name)
		if ctx.Err() != nil {
			r.Took = text.Milliseconds(time.Since(begin))
			return context.Cause(ctx)
		}
		result := Result{Step: s.Name, Title: s.Title, Verdict: f.verdict, Note: f.note, Took: text.Milliseconds(time.Since(start))}
		if f.verdict == Fail {
			failure, err := f.failure(s.Name, o)
			if err != nil {
				return err
			}
			result.Failure = failure
		}
		r.add(result)
		if o.Each != nil {
			o.Each(result)
		}
	}
	r.Took = text.Milliseconds(time.Since(begin))
	return nil
}

func (r *Report) add(result Result) {
	r.Steps = append(r.Steps, result)
	switch result.Verdict {
	case Pass:
		r.Passed++
	case Fail:
		r.Failed++
	case Skip:
		r.Skipped++
	}
}

// failure writes the record, if records are wanted.
func (f finding) failure(step string, o Options) (*Failure, error) {
	e := f.evidence
	only := step
	if e.step != "" && e.step != step {
		only = e.step + "," + step
	}
	failure := &Failure{
		Expected: f.expected, Happened: f.happened, LastLines: e.lines, Exit: e.exit, Stderr: e.stderr,
		StderrBytes: e.stderrBytes, RecordText: e.record, Fouls: e.fouls,
	}
	if o.Again != "" {
		failure.Again = o.Again + " --only " + only
	}
	if o.Records == "" {
		return failure, nil
	}
	var err error
	if failure.Record, err = keep(o, step, e.record); err != nil {
		return nil, err
	}
	for i, foul := range failure.Fouls {
		if failure.Fouls[i].Record, err = keep(o, step+"-"+string(foul.Code), foul.RecordText); err != nil {
			return nil, err
		}
	}
	return failure, nil
}

// keep writes a record and returns the name of its file; none: there is no record.
func keep(o Options, name string, record []byte) (file string, err error) {
	if record == nil {
		return "", nil
	}
	file = filepath.Join(o.Records, fmt.Sprintf("%s-%d.jsonl", name, o.Seed))
	if err := os.WriteFile(file, record, 0o666); err != nil {
		return "", fmt.Errorf("write the record of step %s: %w", name, err)
	}
	return file, nil
}
