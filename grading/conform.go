package grading

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"luzhanqi/check"
	"luzhanqi/game"
	"luzhanqi/grading/marks"
	"luzhanqi/text"
)

// checkFolder is where the check leaves records.
func (w *submissionRun) checkFolder() string { return filepath.Join(w.dir, "check") }

// check runs the conformance check, if the course has one.
func (w *submissionRun) check(ctx context.Context) error {
	if w.course.CheckGames == 0 {
		return nil
	}
	inputs := w.checkInputs()
	found, fresh, err := stage(ctx, w.state, "check", inputs, func() (*marks.Check, error) {
		w.executes()
		if err := remove(w.checkFolder()); err != nil {
			return nil, err
		}
		e, err := w.entrant()
		if err != nil {
			return nil, err
		}
		report, err := check.Run(ctx, check.Subject{Program: e, Conditions: w.course.Conditions}, check.Options{
			Games: w.course.CheckGames, Seed: w.seed(inputs), Again: w.again(), Records: w.checkFolder(), Version: w.o.Version,
		})
		if err != nil {
			return nil, err
		}
		found := checked(report)
		found.Given = report.Given
		found.Traces, err = w.own(report.Traces)
		return found, err
	})
	if err != nil {
		return err
	}
	w.evidence.Check = found
	if fresh {
		passed, all := 0, 0
		for _, s := range found.Steps {
			if s.Info || s.Verdict == "skip" && !s.Lost {
				continue
			}
			if all++; s.Verdict == "pass" {
				passed++
			}
		}
		w.say("check", "", fmt.Sprintf("%d of %d steps of the check passed", passed, all))
	}
	return nil
}

// checkInputs is what the check depends on.
func (w *submissionRun) checkInputs() string {
	return digest("check", w.playing(), w.course.CheckGames)
}

// again is the command line by which a student repeats the check in the folder of the program.
func (w *submissionRun) again() string {
	c := w.course
	words := []string{"luzhanqi", "check", "--game", c.Game.Name(), "--dialect", c.Protocol.Name()}
	if c.Adapter != nil {
		words = append(words, "--adapter", c.Adapter.Name)
	}
	if rules := c.Rules.String(); rules != "" {
		words = append(words, "--rules", rules)
	}
	if c.Game.HasSetUp() {
		words = append(words, "--setup-time", c.Limits.SetUp.String())
	}
	if c.Protocol.Kind() == game.OneShot {
		words = append(words, "--start-time", c.Limits.Start.String())
	}
	if c.Limits.First > 0 {
		words = append(words, "--first-time", c.Limits.First.String())
	}
	words = append(words, "--time", c.Limits.Move.String(), "--grace", c.Limits.Grace.String(), "--games", strconv.Itoa(c.CheckGames), "--seed", strconv.FormatUint(w.seed(w.checkInputs()), 10))
	return check.CommandLine(append(words, check.CommandLine(w.evidence.Build.Run...))...)
}

// information ends the titles of steps on which nothing depends.
const information = "(information)"

// checked is what is kept of a report: no times, and of each skip whether it was the program's fault.
func checked(r check.Report) *marks.Check {
	needs := map[string][]string{}
	for _, s := range check.Steps() {
		needs[s.Name] = s.Needs
	}
	lost := map[string]bool{}
	found := &marks.Check{}
	for _, s := range r.Steps {
		step := marks.Step{
			Name: s.Step, Title: s.Title, Verdict: string(s.Verdict),
			Info: strings.HasSuffix(s.Title, information),
			Lost: s.Verdict == check.Fail,
		}
		if s.Verdict == check.Skip {
			for _, need := range needs[s.Step] {
				step.Lost = step.Lost || lost[need]
			}
		}
		lost[s.Step] = step.Lost
		if f := s.Failure; f != nil {
			step.Expected, step.Happened = text.PrintableLines(f.Expected), text.PrintableLines(f.Happened)
			step.Lines, step.Exit, step.Stderr, step.Again = printable(f.LastLines), f.Exit, endOf(f.Stderr), f.Again
			if f.Record != "" {
				step.Record = filepath.Base(f.Record)
			}
		}
		found.Steps = append(found.Steps, step)
	}
	return found
}

// maxStderr is how much of the end of standard error is kept.
const maxStderr = 4 << 10

// endOf is the end of what was written to standard error, in whole lines if they are not too long.
func endOf(stderr string) string {
	whole := text.PrintableLines(stderr)
	end := text.Suffix(whole, maxStderr)
	if len(end) == len(whole) {
		return whole
	}
	if _, rest, ok := strings.Cut(end, "\n"); ok && rest != "" {
		end = rest
	}
	return "…\n" + end
}

// printable is the lines that were exchanged, as anybody can be shown them.
func printable(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = text.Printable(line)
	}
	return out
}
