package check

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"luzhanqi/text"
)

// WriteTAP writes a report as TAP version 14, with a YAML block for each failure.
// https://testanything.org/tap-version-14-specification.html
func (r *Report) WriteTAP(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n# %s\n", len(r.Steps), tapText(r.name()))
	for i, s := range r.Steps {
		word := "ok"
		if s.Verdict == Fail {
			word = "not ok"
		}
		fmt.Fprintf(&b, "%s %d - %s: %s", word, i+1, s.Step, tapText(s.Title))
		switch {
		case s.Verdict == Skip:
			fmt.Fprintf(&b, " # SKIP %s", tapText(s.Note))
		case s.Note != "":
			fmt.Fprintf(&b, " (%s)", tapText(s.Note))
		}
		b.WriteByte('\n')
		if s.Failure != nil {
			s.Failure.yaml(&b)
		}
	}
	if r.Mattered() {
		fmt.Fprintf(&b, "# %s\n", tapText(r.Said()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tapText keeps a description on its line, and takes from "#" its meaning.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(text.OneLine(s, 1000))
}

// yaml writes the diagnosis. Every value is in double quotes, in which YAML takes the escapes of Go.
func (f *Failure) yaml(b *strings.Builder) {
	b.WriteString("  ---\n")
	item := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s: %s\n", name, quoted(value))
		}
	}
	item("expected", f.Expected)
	item("happened", f.Happened)
	item("exit", f.Exit)
	if len(f.LastLines) > 0 {
		b.WriteString("  last_lines:\n")
		for _, line := range f.LastLines {
			fmt.Fprintf(b, "    - %s\n", quoted(line))
		}
	}
	item("stderr", f.Stderr)
	for _, foul := range f.Fouls {
		item("record_"+string(foul.Code), foul.Record)
	}
	item("record", f.Record)
	item("again", f.Again)
	b.WriteString("  ...\n")
}

func quoted(s string) string { return strconv.QuoteToGraphic(strings.ToValidUTF8(s, "\uFFFD")) }
