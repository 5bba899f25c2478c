package marks

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/process/sandbox"
)

// TestTried: what was tried is said in words, stage by stage, and in few of them; it costs no marks.
func TestTried(t *testing.T) {
	at := time.Date(2026, 11, 22, 13, 44, 5, 0, time.UTC)
	c := &course.Course{Items: []course.Item{{Kind: course.Builds, Points: 10, Curve: course.Curve{{0, 0}, {1, 1}}}, {Kind: course.Level, Name: "greedy", Curve: course.Curve{{0, 0}, {1, 1}}}}}
	e := &Evidence{
		Unpack: &Unpack{}, Build: &Build{}, Check: &Check{}, Matches: map[int]*LevelGames{1: {}},
	}
	if tried := e.Tried(c); len(tried) > 0 {
		t.Errorf("nothing was tried, and found %v", tried)
	}
	e.Build.Refused = []sandbox.Refusal{{Call: "connect", Detail: "TCP to 10.0.0.1:80", Count: 3, At: at}, {Call: "keyctl", Count: 1, At: at}}
	e.Matches[1].Changed = []string{"bot.py", "x\x1b"}
	e.Class.Refused = []sandbox.Refusal{{Call: "ptrace", Detail: strings.Repeat("long ", 200), Count: 1, At: at}}
	want := []Tried{
		{"while it was built and started", []string{
			"tried to connect: TCP to 10.0.0.1:80; refused 3 times, first at 2026-11-22 13:44:05 UTC",
			"tried the system call keyctl; refused at 2026-11-22 13:44:05 UTC",
		}},
		{"in games against greedy", []string{`changed its own files while it ran: bot.py, x` + "\ufffd"}},
	}
	tried := e.Tried(c)
	if len(tried) != 3 || !slices.EqualFunc(tried[:2], want, func(a, b Tried) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
		t.Errorf("found\n%q\nwant\n%q", tried, want)
	}
	if last := tried[2].What[0]; len(last) > 300 || !strings.HasPrefix(last, "tried to control another process: long") {
		t.Errorf("found %q", last)
	}
	alone := &course.Course{Items: c.Items[:1]}
	if sheet := Of(alone, &Evidence{Unpack: &Unpack{}, Build: e.Build}); sheet.Score != 10 {
		t.Errorf("marks are %v", sheet.Score)
	}
	e.Build.Refused = nil
	for i := range 49 {
		e.Build.Refused = append(e.Build.Refused, sandbox.Refusal{Call: "connect", Detail: fmt.Sprint(i), Count: 1, At: at})
	}
	if what := e.Tried(c)[0].What; len(what) != maxTried || what[maxTried-1] != "and 38 kinds of calls more" {
		t.Errorf("found %q", what)
	}
}
