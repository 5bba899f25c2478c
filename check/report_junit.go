package check

import (
	"fmt"
	"io"
	"strings"

	"luzhanqi/check/junit"
	"luzhanqi/text"
)

// WriteJUnit writes a report as JUnit XML: one suite, a case a step.
func (r *Report) WriteJUnit(w io.Writer) error {
	suite := junit.Suite{Name: "luzhanqi check", Time: junit.Seconds(text.Duration(r.Took)), Properties: []junit.Property{
		{Name: "subject", Value: r.Subject},
		{Name: "role", Value: r.Role},
		{Name: "game", Value: r.Game},
		{Name: "dialect", Value: r.Dialect},
		{Name: "seed", Value: fmt.Sprint(r.Seed)},
	}}
	if r.Adapter != "" {
		suite.Properties = append(suite.Properties, junit.Property{Name: "adapter", Value: r.Adapter})
	}
	for _, s := range r.Steps {
		c := junit.Case{Name: s.Step + ": " + s.Title, Class: "check." + r.Game + "." + r.Dialect, Time: junit.Seconds(text.Duration(s.Took))}
		switch {
		case s.Verdict == Skip:
			c.Skipped = &junit.Skipped{Message: s.Note}
		case s.Failure != nil:
			var all strings.Builder
			(&Text{Out: &all}).failure(s, true)
			c.Failure = &junit.Problem{Message: s.Failure.Happened, Type: s.Step, Text: strings.TrimSpace(all.String())}
		default:
			c.Out = s.Note
		}
		suite.Cases = append(suite.Cases, c)
	}
	return junit.Write(w, junit.Suites{Time: suite.Time, Suites: []junit.Suite{suite}})
}
