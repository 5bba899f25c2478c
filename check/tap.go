package check

import (
	"fmt"
	"io"
	"strings"
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
	_, err := io.WriteString(w, b.String())
	return err
}

// tapText keeps a description on its line, and takes from "#" its meaning.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(oneLine(text, 1000))
}

// yaml writes the diagnosis. Every value is in double quotes, in which YAML takes JSON's escapes.
func (f *Failure) yaml(b *strings.Builder) {
	b.WriteString("  ---\n")
	item := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s: %s\n", name, yamlString(value))
		}
	}
	item("expected", f.Expected)
	item("happened", f.Happened)
	item("exit", f.Exit)
	if len(f.LastLines) > 0 {
		b.WriteString("  last_lines:\n")
		for _, line := range f.LastLines {
			fmt.Fprintf(b, "    - %s\n", yamlString(line))
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

// yamlString quotes text; what is not printable ASCII is escaped.
func yamlString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c == 0x7f || c > 0x7f && c < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c == 0x2028 || c == 0x2029 || c == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
