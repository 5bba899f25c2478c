package marks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/process/sandbox"
	"luzhanqi/text"
)

// Tried is what a submission tried, and was refused or did to its own files, on one occasion. No marks depend on it.
type Tried struct {
	When string   // "while it was built"
	What []string // each a line for people
}

// Tried lists what a submission tried, in the order of the stages.
func (e *Evidence) Tried(c *course.Course) (all []Tried) {
	add := func(when string, t sandbox.Traces) {
		if what := words(t); len(what) > 0 {
			all = append(all, Tried{when, what})
		}
	}
	if e.Build != nil {
		add("while it was built and started", e.Build.Traces)
	}
	if e.Check != nil {
		add("in the check", e.Check.Traces)
	}
	for _, n := range slices.Sorted(maps.Keys(e.Matches)) {
		add("in games against "+c.Items[n].Name, e.Matches[n].Traces)
	}
	add("in the class tournament", e.Class)
	return all
}

const (
	maxTried = 12  // lines of one occasion, that of the rest included
	maxWords = 200 // characters of what a program has chosen
)

// verbs are what calls are for, where that is plainer than their names.
var verbs = map[string]string{
	"connect": "to connect", "bind": "to be reached", "socket": "to open a way to others", "socketcall": "to open a way to others",
	"sendto": "to send", "sendmsg": "to send", "sendmmsg": "to send", "kill": "to send a signal", "tkill": "to send a signal",
	"tgkill": "to send a signal", "ptrace": "to control another process", "mount": "to mount",
}

func words(t sandbox.Traces) (all []string) {
	for _, r := range t.Refused {
		all = append(all, refusal(r))
	}
	if len(all) > maxTried {
		rest := len(all) - (maxTried - 1)
		all = append(all[:maxTried-1:maxTried-1], fmt.Sprintf("and %s more", text.Count(rest, "kind")+" of calls"))
	}
	if len(t.Changed) > 0 {
		names := make([]string, min(len(t.Changed), maxTried))
		for i := range names {
			names[i] = text.Printable(text.Shorten(t.Changed[i], maxWords))
		}
		said := "changed its own files while it ran: " + strings.Join(names, ", ")
		if rest := len(t.Changed) - len(names); rest > 0 {
			said += fmt.Sprintf(" and %d more", rest)
		}
		all = append(all, said)
	}
	return all
}

// refusal says what was tried: "tried to connect: TCP to 10.0.0.1:80; refused 3 times, first at 2026-11-22 13:44:05 UTC".
func refusal(r sandbox.Refusal) string {
	what := verbs[r.Call]
	if what == "" {
		what = "the system call " + text.Printable(text.Shorten(r.Call, maxWords))
	}
	said := "tried " + what
	if r.Detail != "" {
		said += ": " + text.Printable(text.Shorten(r.Detail, maxWords))
	}
	said += "; refused"
	if r.Count > 1 {
		said += fmt.Sprintf(" %d times, first", r.Count)
	}
	return said + " at " + r.At.UTC().Format(time.DateTime) + " UTC"
}
