package grading

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
)

// thinker computes for 30 ms of processor time before each move.
const thinker = `import sys, time
say, hear = sys.stdout, sys.stdin
hear.readline() # the color
turn = 0
while hear.readline():
    moves = [hear.readline() for _ in range(int(hear.readline()))]
    if not moves:
        break
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    say.write(moves[(7 * turn + 3) % len(moves)])
    say.flush()
    turn += 1
`

// TestEqualMarks: correct submissions that think for a third of their time get the same marks, byte for byte and all of them, two at a
// time on a quiet machine, two at a time beside four busy loops, and four at a time.
func TestEqualMarks(t *testing.T) {
	if !protocoltest.Nightly() {
		t.Skip("it takes minutes; LUZHANQI_NIGHTLY=1 grades four submissions three times")
	}
	processtest.Need(t, "python3")
	file := describe(t, "[[language]]\nname = \"Python\"\ndetect = \"bot.py\"\nrun = \"python3 bot.py\"\n")
	for _, name := range []string{"ann", "ben", "cem", "dot"} {
		write(t, filepath.Join(filepath.Dir(file), "submissions", name, "bot.py"), thinker)
	}
	write(t, file, strings.Replace(read(t, file), `limits = { move = "2s", grace = "1s" }`, `limits = { move = "100ms", first = "1s", grace = "50ms", max_plies = 40 }`, 1))
	var first string
	for _, c := range []struct {
		name              string
		concurrency, busy int
	}{{"quiet", 2, 0}, {"four busy loops", 2, 4}, {"four at a time", 4, 0}} {
		out := t.TempDir()
		began := time.Now()
		stop := processtest.Crowd(t, c.busy)
		described, err := course.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Run(t.Context(), described, Options{Out: out, Concurrency: c.concurrency})
		stop()
		if err != nil || len(o.Failures) > 0 {
			t.Fatalf("%s: %v, %v", c.name, err, o.Failures)
		}
		var run struct{ Turns, Load json.RawMessage }
		if err := json.Unmarshal([]byte(read(t, filepath.Join(out, "class/run.json"))), &run); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: in %v, turns %s, load %s", c.name, time.Since(began).Round(time.Second), run.Turns, run.Load)
		for _, s := range o.Sheets {
			t.Logf("%s: %s has %v of %v points", c.name, s.Name, s.Score, s.Max)
			for _, i := range s.Items {
				if i.Kind == course.Time && !i.Full() {
					t.Errorf("%s: %s: limits: %s: %+v", c.name, s.Name, i.Summary, i.Reasons)
				}
			}
		}
		switch marks := markFiles(t, out); {
		case first == "":
			first = marks
		case marks != first:
			t.Errorf("%s: the marks are\n%s\nand were\n%s", c.name, marks, first)
		}
	}
}
