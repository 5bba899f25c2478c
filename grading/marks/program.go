package marks

import (
	"fmt"
	"slices"
	"strings"

	"luzhanqi/grading/course"
	"luzhanqi/text"
)

// builds marks unpacking, building and starting.
func builds(e *Evidence) (share float64, summary string, reasons []Reason) {
	switch {
	case e.Build == nil:
		return 0, "not unpacked", []Reason{{Text: "Your submission was refused when it was unpacked.", Detail: e.Unpack.Refused}}
	case e.Build.Failed != "":
		return 0, "not built", []Reason{{Text: "Your program could not be built or started.", Detail: e.Build.Failed, Output: e.Build.Output}}
	}
	return 1, "it builds and starts", nil
}

// conformance marks the share of steps that pass. Steps that the game or the dialect does not have, and those
// that only inform, do not count; one that could not be tried because another failed is lost.
func conformance(rule course.Item, e *Evidence) (share float64, summary string, reasons []Reason) {
	passed, lost := 0, 0
	var untried []string
	for _, s := range e.Check.Steps {
		switch {
		case s.Info || len(rule.Steps) > 0 && !slices.Contains(rule.Steps, s.Name):
		case s.Verdict == "pass":
			passed++
		case s.Verdict == "fail":
			lost++
			reasons = append(reasons, Reason{
				Text:   fmt.Sprintf("Step %s failed: %s.", s.Name, s.Title),
				Detail: fmt.Sprintf("expected: %s; happened: %s", s.Expected, s.Happened),
				Lines:  s.Lines, Exit: s.Exit, Stderr: s.Stderr, Again: s.Again, Record: s.Record,
			})
		case s.Lost:
			lost++
			untried = append(untried, s.Name)
		}
	}
	if len(untried) > 0 {
		why := fmt.Sprintf("%s could not be tried because others failed: %s.", text.Count(len(untried), "step"), strings.Join(untried, ", "))
		reasons = append(limited(reasons, maxReasons-1, "%d more steps failed."), Reason{Text: why})
	}
	all := passed + lost
	if all == 0 {
		return 1, "none of the steps applies", nil
	}
	return float64(passed) / float64(all), fmt.Sprintf("%d of %s passed", passed, text.Count(all, "step")), reasons
}

// class marks the place among the others.
func class(rule course.Item, e *Evidence) (share float64, summary string, reasons []Reason) {
	p := e.Place
	if p == nil {
		return 0, "not played", []Reason{{Text: "The class tournament is played when all submissions have been graded together."}}
	}
	if p.Games == 0 {
		return 0, "nobody to play against", []Reason{{Text: "There was nobody to play against in the class tournament."}}
	}
	summary = fmt.Sprintf("place %d of %d, with %s of %s", p.Rank, p.Players, Format(p.Points), text.Count(p.Games, "point"))
	share = p.Points / float64(p.Games)
	why := fmt.Sprintf("Your program got %s of %s in the class tournament.", Format(p.Points), text.Count(p.Games, "point"))
	if rule.By == "place" {
		share = (float64(p.Worse) + float64(p.Level)/2) / float64(p.Players-1)
		why = fmt.Sprintf("%s of the %s did worse than your program in the class tournament, and %d as well as it.",
			text.Count(p.Worse, "program"), text.Count(p.Players-1, "other"), p.Level)
	}
	if p.Fouls > 0 {
		why += fmt.Sprintf(" It lost %s by breaking the rules or failing.", text.Count(p.Fouls, "game"))
	}
	return share, summary, []Reason{{Text: why}}
}
