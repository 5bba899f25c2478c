package grading

import (
	"fmt"
	"slices"
	"strings"

	"luzhanqi/grading/marks"
	"luzhanqi/grading/report"
	"luzhanqi/text"
)

// leastFailed is how many submissions of a language must have failed, and none built, for the course to be suspected.
const leastFailed = 2

// hopeless are the languages of which no submission could be built: then it is rather the course's line than everybody's
// program that is wrong.
func hopeless(works []*submissionRun) (notes []report.Note) {
	type count struct{ built, failed []*marks.Build }
	languages := map[string]*count{}
	var names []string
	for _, w := range works {
		if w.err != nil || w.evidence == nil || w.evidence.Build == nil || w.evidence.Build.Language == "" {
			continue
		}
		b := w.evidence.Build
		c := languages[b.Language]
		if c == nil {
			c = &count{}
			languages[b.Language] = c
			names = append(names, b.Language)
		}
		if b.Failed == "" {
			c.built = append(c.built, b)
		} else {
			c.failed = append(c.failed, b)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c := languages[name]
		if len(c.built) > 0 || len(c.failed) < leastFailed {
			continue
		}
		first := c.failed[0]
		said := fmt.Sprintf("every submission in %s failed: none of %d could be built or started. Look at the build and run of this language in the course before the marks; the first one: %s",
			name, len(c.failed), first.Failed)
		if line := firstLine(first.Output); line != "" {
			said += "; it wrote: " + line
		}
		notes = append(notes, report.Note{Text: text.OneLine(said, 600)})
	}
	return notes
}

// firstLine is the first line that says something.
func firstLine(output string) string {
	for line := range strings.Lines(output) {
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			return text.Shorten(trimmed, 200)
		}
	}
	return ""
}
