package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/process/load"
)

// graded is a class of one.
type graded struct {
	name    string
	course  *course.Course
	student Student
	class   *Class
}

// loudAndQuiet are the same class, graded on a quiet machine and on a loud one.
func loudAndQuiet(t *testing.T) (all [2]graded) {
	for i, name := range []string{"quiet", "loud"} {
		c, s, class := hostile(t, "ann")
		all[i] = graded{name, c, s, class}
	}
	loud := all[1]
	started := time.Date(2026, 11, 22, 19, 30, 5, 0, time.UTC)
	loud.class.Run = &Run{
		Run: load.Run{Concurrency: 4, Processors: 2, Started: started, Before: 0.41, Loud: true}, Version: "v1",
		During: 0.875, Ended: started.Add(93*time.Second + 250*time.Microsecond), Done: 3, Kept: 2,
	}
	loud.class.Given[0] = load.Given{Starved: 20, Late: 1}
	loud.student.Evidence.InClass = loud.class.GivenTo("ann")
	loud.student.Evidence.Check.Given = load.Given{Starved: 300.5, Turns: 2, Time: 120}
	loud.student.Evidence.Matches[1].Given = load.Given{Starved: 50}
	return all
}

// TestRun: what the run was stands in run.json, and what it has cost on both pages and in the results for Gradescope; on a quiet
// machine the pages say nothing of it.
func TestRun(t *testing.T) {
	const said = "The machine was busy: 2 turns were longer than limit and grace, since others had the processors, and got 120ms more; " +
		"1 turn got more, and lost by time in spite of it. Programs that think until their limit are weaker here than they are."
	wants := map[string]map[string][]string{
		"quiet": {
			"class/index.html": {"Graded from 0001-01-01 00:00:00 to 0001-01-01 00:00:00 UTC, 2 submissions at a time on 2 processors."},
		},
		"loud": {
			"one/index.html":   {"something else used the processors. " + said},
			"one/results.json": {said},
			"class/index.html": {
				"Graded from 2026-11-22 19:30:05 to 2026-11-22 19:31:38 UTC, 4 submissions at a time on 2 processors, in 88 % of the time something waited for one; " +
					"2 of 5 stages were taken from earlier runs.",
				"<h2>Given time</h2>\n<p>" + said, `<tr><th scope="row" class="left">ann</th><td>2</td><td>120</td><td>1</td></tr>`,
			},
		},
	}
	runs := map[string]string{
		"quiet": `{
  "schema": 1,
  "version": "",
  "started": "0001-01-01T00:00:00Z",
  "ended": "0001-01-01T00:00:00Z",
  "took_ms": 0,
  "concurrency": 2,
  "processors": 2,
  "load": {
    "before": null,
    "during": null
  },
  "stages": {
    "done": 0,
    "kept": 0
  },
  "turns": {
    "starved_ms": 0,
    "given_turns": 0,
    "given_ms": 0,
    "late_turns": 0
  },
  "submissions": []
}
`,
		"loud": `{
  "schema": 1,
  "version": "v1",
  "started": "2026-11-22T19:30:05Z",
  "ended": "2026-11-22T19:31:38.00025Z",
  "took_ms": 93000.25,
  "concurrency": 4,
  "processors": 2,
  "load": {
    "before": 0.41,
    "during": 0.875
  },
  "stages": {
    "done": 3,
    "kept": 2
  },
  "turns": {
    "starved_ms": 370.5,
    "given_turns": 2,
    "given_ms": 120,
    "late_turns": 1
  },
  "submissions": [
    {
      "name": "ann",
      "starved_ms": 370.5,
      "given_turns": 2,
      "given_ms": 120,
      "late_turns": 1
    }
  ]
}
`,
	}
	for _, c := range loudAndQuiet(t) {
		dir := t.TempDir()
		if err := Write(filepath.Join(dir, "one"), c.course, c.student); err != nil {
			t.Fatal(err)
		}
		if err := WriteClass(filepath.Join(dir, "class"), c.course, []Student{c.student}, c.class); err != nil {
			t.Fatal(err)
		}
		read := func(file string) string {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if got := read("class/run.json"); got != runs[c.name] {
			t.Errorf("%s: run.json is\n%s\nwant\n%s", c.name, got, runs[c.name])
		}
		for _, file := range []string{"one/index.html", "one/results.json", "class/index.html"} {
			text := read(file)
			for _, want := range wants[c.name][file] {
				if !strings.Contains(text, want) {
					t.Errorf("%s: %s does not have %q", c.name, file, want)
				}
			}
			if c.name == "quiet" && strings.Contains(text, "busy") {
				t.Errorf("%s says that a quiet machine was busy", file)
			}
			if strings.HasSuffix(file, ".html") {
				wellFormed(t, file, []byte(text))
			}
		}
	}
}
