package check

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"luzhanqi/text"
)

// The rules of the text: a line a step, as soon as it is done, and one for all that is skipped for the
// same reason; then the failures, three of them with the last lines exchanged, since the first ones often
// explain the others; the count last.

// Text prints a report for people: Line each result, then Summary.
type Text struct {
	Out   io.Writer
	Color bool

	skips []Result // consecutive ones for the same reason, which share a line
}

// The colours of the verdicts, as on any terminal.
var colors = map[Verdict]string{Pass: "\x1b[32m", Fail: "\x1b[1;31m", Skip: "\x1b[33m"}

func (t *Text) paint(v Verdict, s string) string {
	if !t.Color {
		return s
	}
	return colors[v] + s + "\x1b[0m"
}

// Line prints one result.
func (t *Text) Line(r Result) {
	if r.Verdict == Skip && (len(t.skips) == 0 || t.skips[0].Note == r.Note) {
		t.skips = append(t.skips, r)
		return
	}
	t.flush()
	if r.Verdict == Skip {
		t.skips = append(t.skips, r)
		return
	}
	title := r.Title
	if r.Verdict == Pass && r.Note != "" {
		title += ": " + r.Note
	}
	t.line(r.Verdict, r.Step, title)
}

// flush prints what was skipped.
func (t *Text) flush() {
	switch n := len(t.skips); n {
	case 0:
		return
	case 1:
		t.line(Skip, t.skips[0].Step, t.skips[0].Title+": "+t.skips[0].Note)
	default:
		t.line(Skip, t.skips[0].Step, fmt.Sprintf("and the next %d: %s", n-1, t.skips[0].Note))
	}
	t.skips = nil
}

func (t *Text) line(v Verdict, step, title string) {
	const maxTitle = 150
	word := map[Verdict]string{Pass: "ok  ", Fail: "FAIL", Skip: "skip"}[v]
	fmt.Fprintf(t.Out, "%s %-20s %s\n", t.paint(v, word), step, text.OneLine(title, maxTitle))
}

// Summary prints what has failed, and the count.
func (t *Text) Summary(r *Report) {
	const inFull = 3
	t.flush()
	shown := 0
	for _, s := range r.Steps {
		if s.Failure != nil {
			t.failure(s, shown < inFull)
			shown++
		}
	}
	if r.Mattered() {
		fmt.Fprintf(t.Out, "\n%s\n", r.Said())
	}
	for _, again := range r.Again {
		fmt.Fprintf(t.Out, "\nlate in %s\n", text.OneLine(again, 400))
	}
	took := text.Duration(r.Took).Round(100 * time.Millisecond)
	verdict := Pass
	if r.Failed > 0 {
		verdict = Fail
	}
	fmt.Fprintf(t.Out, "\n%s: %s\n", text.OneLine(r.name(), 300), t.paint(verdict, fmt.Sprintf("%d passed, %d failed, %d skipped, in %v", r.Passed, r.Failed, r.Skipped, took)))
}

// failure prints all that is known of one; if not in full, without the lines.
func (t *Text) failure(s Result, full bool) {
	f := s.Failure
	fmt.Fprintf(t.Out, "\n%s %s: %s\n", t.paint(Fail, "FAIL"), s.Step, s.Title)
	t.item("expected", f.Expected)
	t.item("happened", f.Happened)
	if f.Exit != "" {
		t.item("exit", f.Exit)
	}
	if full && len(f.LastLines) > 0 {
		t.item("last lines", "> sent to the program, < received from it")
		for _, line := range f.LastLines {
			fmt.Fprintf(t.Out, "    %s\n", text.Printable(line))
		}
	}
	if full && f.Stderr != "" {
		t.item("standard error", fmt.Sprintf("the end of %s", size(f.StderrBytes)))
		for line := range strings.Lines(f.Stderr) {
			fmt.Fprintf(t.Out, "    %s\n", text.Printable(strings.TrimRight(line, "\r\n")))
		}
	}
	for _, foul := range f.Fouls {
		if foul.Record != "" {
			t.item("record", fmt.Sprintf("%s (%s)", foul.Record, foul.Code))
		}
	}
	if f.Record != "" {
		t.item("record", f.Record)
	}
	t.item("again", f.Again)
}

func (t *Text) item(name, value string) {
	for line := range strings.Lines(value) {
		fmt.Fprintf(t.Out, "  %-14s %s\n", name, text.Printable(strings.TrimRight(line, "\r\n")))
		name = ""
	}
}

// name says what was checked.
func (r *Report) name() string {
	name := fmt.Sprintf("%s %s in %s, dialect %s", r.Role, r.Subject, r.Game, r.Dialect)
	if r.Adapter != "" {
		name += ", adapter " + r.Adapter
	}
	return fmt.Sprintf("%s, seed %d", name, r.Seed)
}

// CommandLine writes words as a line for a POSIX shell, with quotes where they are needed.
func CommandLine(words ...string) string {
	var all []string
	for _, word := range words {
		quoted, err := syntax.Quote(word, syntax.LangBash)
		if err != nil { // a NUL byte, which no command line can hold
			quoted = fmt.Sprintf("%q", word)
		}
		all = append(all, quoted)
	}
	return strings.Join(all, " ")
}
