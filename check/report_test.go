package check

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"luzhanqi/check/junit"
	"luzhanqi/process/load"
	"luzhanqi/referee"
)

// nasty is text as a program may write it: control characters, broken UTF-8, the ends of all formats.
const nasty = "a\x00\x1b[31m\xff\xfe \"]]>&<\u2028#\ufffe\n not ok 1 - x\n...\r\n\\"

// sample is a report with a result of each kind.
func sample() *Report {
	r := &Report{Subject: "python3 " + nasty, Role: "program", Game: "luzhanqi", Dialect: "5500", Adapter: "a.toml", Seed: 7, Took: 1234}
	r.add(Result{Step: "found", Title: "the program is found", Verdict: Pass, Note: "at " + nasty, Took: 1})
	r.add(Result{Step: "setup-legal", Title: "its set-up is legal", Verdict: Skip, Note: "it needs " + nasty})
	r.add(Result{Step: "setup-varies", Title: "it varies", Verdict: Skip, Note: "it needs " + nasty})
	r.add(Result{Step: "moves-legal", Title: "moves are legal", Verdict: Fail, Took: 20, Failure: &Failure{
		Expected: "legal moves", Happened: "illegal: " + nasty, LastLines: []string{"> (go 1)", "< " + nasty}, Exit: "exited with code 0",
		Stderr: nasty, StderrBytes: 99, Again: "luzhanqi check bot --only moves-legal", Record: "dir/moves-legal-7.jsonl",
		Fouls: []Foul{{Code: referee.IllegalMove, Count: 2, First: nasty, Record: "dir/x"}},
	}})
	return r
}

// TestTextIsHarmless guards that nothing a program wrote reaches a terminal as it is, and that skips for the
// same reason share a line.
func TestTextIsHarmless(t *testing.T) {
	out := printed(sample())
	if i := strings.IndexFunc(out, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 }); i >= 0 {
		t.Errorf("a control character at byte %d of\n%q", i, out)
	}
	for _, want := range []string{
		"ok   found", "skip setup-legal          and the next 1: it needs", "FAIL moves-legal", "expected       legal moves", "< a",
		"again          luzhanqi check bot --only moves-legal", "record         dir/moves-legal-7.jsonl", "1 passed, 1 failed, 2 skipped, in 1.2s",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	var colored strings.Builder
	(&Text{Out: &colored, Color: true}).Line(sample().Steps[0])
	if !strings.HasPrefix(colored.String(), "\x1b[32mok  \x1b[0m found") {
		t.Errorf("in colours: %q", &colored)
	}
}

// TestGiven: a check on a busy machine says so in each form; on a quiet one none does.
func TestGiven(t *testing.T) {
	forms := func(r *Report) (text, tap, object string) {
		var b strings.Builder
		if err := r.WriteTAP(&b); err != nil {
			t.Fatal(err)
		}
		j, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return printed(r), b.String(), string(j)
	}
	r := sample()
	text, tap, object := forms(r)
	if strings.Contains(text+tap+object, "busy") || strings.Contains(object, "given") || strings.Contains(object, "starved") {
		t.Errorf("on a quiet machine:\n%s\n%s\n%s", text, tap, object)
	}
	r.Given = load.Given{Starved: 12.5, Turns: 1, Time: 7}
	text, tap, object = forms(r)
	const said = "the machine was busy: 1 turn was longer than limit and grace, since others had the processors, and got 7ms more. "
	if !strings.Contains(text, "\n"+said) || !strings.Contains(tap, "\n# "+said) || !strings.Contains(object, `"starved_ms":12.5,"given_turns":1,"given_ms":7`) {
		t.Errorf("on a busy machine:\n%s\n%s\n%s", text, tap, object)
	}
}

// TestTAP reads TAP 14 by its grammar: the version, the plan, then test points in order, of which those that
// failed have a YAML block.
func TestTAP(t *testing.T) {
	var out strings.Builder
	if err := sample().WriteTAP(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if lines[0] != "TAP version 14" || lines[1] != "1..4" {
		t.Fatalf("it begins with %q", lines[:2])
	}
	point := regexp.MustCompile(`^(not )?ok (\d+) - [^#]*?(( # SKIP .*)|(\\#[^#]*)*)$`)
	inYAML, points := false, []string{}
	for _, line := range lines[2:] {
		switch {
		case line == "  ---":
			inYAML = true
		case line == "  ...":
			inYAML = false
		case inYAML:
			if !regexp.MustCompile(`^  (  - |\w[\w-]*: ?)("([^"\\[:cntrl:]]|\\.)*")?$`).MatchString(line) {
				t.Errorf("in a YAML block: %q", line)
			}
		case strings.HasPrefix(line, "# "):
		default:
			if !point.MatchString(line) {
				t.Errorf("no test point: %q", line)
			}
			points = append(points, line)
		}
	}
	if len(points) != 4 || inYAML {
		t.Fatalf("found %d test points: %q", len(points), points)
	}
	for i, want := range []string{"ok 1 - found: ", "ok 2 - setup-legal: its set-up is legal # SKIP ", "ok 3 - ", "not ok 4 - moves-legal: "} {
		if !strings.HasPrefix(points[i], want) {
			t.Errorf("found %q, want %q…", points[i], want)
		}
	}
}

// TestJUnit reads the XML back: it is well-formed, and its counts are those of its cases.
func TestJUnit(t *testing.T) {
	var out strings.Builder
	if err := sample().WriteJUnit(&out); err != nil {
		t.Fatal(err)
	}
	var back junit.Suites
	d := xml.NewDecoder(strings.NewReader(out.String()))
	if err := d.Decode(&back); err != nil {
		t.Fatalf("%v in\n%s", err, &out)
	}
	if _, err := d.Token(); err != io.EOF {
		for err == nil {
			_, err = d.Token()
		}
		if err != io.EOF {
			t.Errorf("after the suites: %v", err)
		}
	}
	s := back.Suites[0]
	if s.Tests != 4 || s.Failures != 1 || s.Skipped != 2 || len(s.Cases) != 4 || s.Time != "1.234" || back.Failures != 1 {
		t.Errorf("counts: %+v", s)
	}
	failed := s.Cases[3]
	if failed.Failure == nil || !strings.HasPrefix(failed.Failure.Message, "illegal: a\uFFFD") || !strings.Contains(failed.Failure.Text, "luzhanqi check bot --only moves-legal") {
		t.Errorf("the failure: %+v", failed.Failure)
	}
	if s.Cases[1].Skipped == nil || s.Cases[0].Skipped != nil || s.Cases[0].Failure != nil {
		t.Errorf("cases: %+v", s.Cases)
	}
}

// TestJSON guards that a report survives being written and read.
func TestJSON(t *testing.T) {
	r := sample()
	first, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	want := sample()
	if found, want := back.Steps[3].Failure.Happened, strings.ToValidUTF8(strings.ReplaceAll(want.Steps[3].Failure.Happened, "\xff\xfe", "\uFFFD\uFFFD"), "?"); found != want {
		t.Errorf("read %q, want %q", found, want)
	}
	if back.Failed != 1 || back.Seed != 7 || back.Steps[3].Failure.Fouls[0].Code != referee.IllegalMove || back.Steps[1].Verdict != Skip {
		t.Errorf("read %+v of %s", back, first)
	}
}

func TestCommandLine(t *testing.T) {
	if found, want := CommandLine("luzhanqi", "check", "python3 my bot.py", "it's"), `luzhanqi check 'python3 my bot.py' "it's"`; found != want {
		t.Errorf("found %s, want %s", found, want)
	}
}
