package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
)

const rubric = `title = "<b>A course</b> & more"
game = "jungle"
submissions = "in"
[class]
format = "round-robin"
[gradescope]
leaderboard = true
[[language]]
detect = "bot.py"
run = "python3 bot.py"
[[item]]
kind = "builds"
title = "=cmd|'/c calc'!A1"
points = 10
[[item]]
kind = "level"
level = "greedy"
games = 2
points = 40
[[item]]
kind = "class"
points = 5
bonus = true
`

// hostile is a submission whose name and words are meant to break pages.
func hostile(t *testing.T, name string) (*course.Course, Student, *Class) {
	file := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(file, []byte(rubric), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	nasty := "</pre><script>alert(1)</script>\x1b[31m\x00\xff]]>&amp; \ufffe javascript:alert(1)"
	class := &Class{Failed: []Note{{Name: "@sum", Text: nasty}}, Notes: []Note{{Name: nasty, Text: nasty}, {Text: nasty}}, Names: []string{name, "other"}}
	class.Run = &Run{Run: load.Run{Concurrency: 2, Processors: 2, Before: load.Unknown}, During: load.Unknown}
	class.Given = make([]load.Given, len(class.Names))
	class.Times = append(class.Times, [62]uint32{30: 3}, [62]uint32{20: 5})
	class.Games = []standings.Game{{First: 0, Second: 1, Result: rating.Win}, {First: 1, Second: 0, Result: rating.Draw}}
	if class.Table, err = standings.Compute(class.Names, class.Games, standings.RoundRobin); err != nil {
		t.Fatal(err)
	}
	e := &marks.Evidence{
		Name: name, Folder: "%3Cscript%3E", Unpack: &marks.Unpack{}, Build: &marks.Build{Language: nasty, Run: []string{nasty}},
		Check: &marks.Check{Steps: []marks.Step{{Name: nasty, Title: nasty, Verdict: "fail"}}},
		Matches: map[int]*marks.LevelGames{1: {Games: []marks.Game{
			{ID: "g1", Seat: 1, Points: 0, Own: true, Code: referee.Crashed, Reason: nasty, Lines: []string{nasty, "< 1 2"}, Exit: nasty, Stderr: nasty, Record: "level-2-g1.jsonl", Moves: 3},
			{ID: "g2", Seat: 2, Points: 1, Code: referee.Won, Reason: nasty, Moves: 3},
		}}},
		Place: class.Place(name), Class: sandbox.Traces{Changed: []string{nasty}},
	}
	e.Times[30] = 4
	e.Build.Refused = []sandbox.Refusal{{Call: nasty, Detail: nasty, Count: 1}, {Call: "connect", Detail: "TCP to 10.0.0.1:80", Count: 3}}
	return c, Student{Evidence: e, Sheet: marks.Of(c, e)}, class
}

// outside is what no page may have: it would run something or load something.
var outside = regexp.MustCompile(`(?i)<script|<link|<iframe|<img|<object|<embed|\son[a-z]+=|javascript:[^a]|https?://|@import|url\(|href="javascript|src=`)

func TestPages(t *testing.T) {
	for _, name := range []string{`<script>alert("x")</script>`, "=1+1", "greedy (staff)", "\u202eann", "a\"b'c"} {
		c, s, class := hostile(t, name)
		dir := t.TempDir()
		if err := Write(filepath.Join(dir, "one"), c, s); err != nil {
			t.Fatal(err)
		}
		if err := WriteClass(filepath.Join(dir, "class"), c, []Student{s}, class); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"one/index.html", "class/index.html", "one/junit.xml", "class/junit.xml"} {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, file, text)
			if strings.HasSuffix(file, ".html") && outside.Match(text) {
				t.Errorf("%s of %q has %q", file, name, outside.Find(text))
			}
			if bytes.ContainsAny(text, "\x1b\x00") {
				t.Errorf("%s of %q has control characters", file, name)
			}
		}
		for _, file := range []string{"one/index.html", "one/results.json"} {
			if text, _ := os.ReadFile(filepath.Join(dir, file)); !bytes.Contains(text, []byte("TCP to 10.0.0.1:80; refused 3 times, first at ")) {
				t.Errorf("%s of %q does not say what was tried", file, name)
			}
		}
		page, _ := os.ReadFile(filepath.Join(dir, "class/index.html"))
		for _, want := range []string{`href="../%253Cscript%253E/index.html"`, "greedy (staff)", "Class tournament", "Think times", "Not graded", "To look into", "What programs tried besides", "tried to connect: TCP to 10.0.0.1:80; refused 3 times"} {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("the page of the class does not have %q", want)
			}
		}
	}
}

// wellFormed reads a page as XML, which is stricter than any browser: nothing that was escaped badly passes.
func wellFormed(t *testing.T, file string, text []byte) {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("<!DOCTYPE html>"))))
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
	}
}

func TestGradebook(t *testing.T) {
	for name, want := range map[string]string{"=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", " =x": "' =x", "\t=x": "'\t=x", "ann": "ann", "a,\"b\"": "a,\"b\""} {
		c, s, class := hostile(t, name)
		text, err := gradebook(c, []Student{s}, class)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("%v: %q", err, text)
		}
		if rows[1][0] != want || rows[1][1] != "33.75" || rows[1][2] != "50" || rows[0][3] != "1. =cmd|'/c calc'!A1" {
			t.Errorf("of %q: %q", name, rows)
		}
		if rows[2][0] != "'@sum" || rows[2][1] != "" || !strings.Contains(rows[2][6], "not its fault") {
			t.Errorf("who was not graded: %q", rows[2])
		}
	}
}

// TestGradescope: the members that its documentation names, with the values that it allows.
func TestGradescope(t *testing.T) {
	c, s, _ := hostile(t, "ann")
	text, err := gradescope(c, s)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Score                                           *float64
		Execution_time                                  *float64
		Output, Output_format, Test_output_format       string
		Visibility, Stdout_visibility, Test_name_format string
		Extra_data                                      map[string]any
		Tests                                           []map[string]any
		Leaderboard                                     []map[string]any
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if *got.Score != 33.75 || got.Visibility != "visible" || got.Stdout_visibility != "hidden" || len(got.Tests) != 3 || len(got.Leaderboard) != 2 {
		t.Errorf("%s", text)
	}
	sum := 0.0
	for _, test := range got.Tests {
		sum += test["score"].(float64)
		if test["output_format"] != "text" || test["name_format"] != "text" || test["visibility"] != "visible" {
			t.Errorf("a test that is not plain text: %v", test)
		}
	}
	if sum != *got.Score {
		t.Errorf("the tests add up to %v of %v", sum, *got.Score)
	}
	if bonus := got.Tests[2]; bonus["max_score"] != 0.0 || bonus["score"] != 3.75 {
		t.Errorf("the bonus is %v", bonus)
	}
	if lost := got.Tests[1]; lost["status"] != "failed" || !strings.Contains(lost["output"].(string), "1 of 2 games against greedy were lost because your program ended by itself") || !strings.Contains(lost["output"].(string), "records/level-2-g1.jsonl") {
		t.Errorf("the lost game is %v", lost)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "deep/er/file")
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
	if err := WriteFile(filepath.Join(file, "below"), nil); err == nil {
		t.Error("a file below a file was written")
	}
}
