//go:build unix

package referee_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee"
)

// TestOneShot: programs that are started for each question, honest and otherwise.
func TestOneShot(t *testing.T) {
	t.Parallel()
	const honest = `read pile; echo $((pile - 1))`
	for name, c := range map[string]struct {
		script string
		want   expect
		limits game.Limits
	}{
		"honest":                     {honest, expect{referee.Won, "2", "the last stone"}, ample},
		"by arguments":               {`test "$1" = stones && echo $(($2 - 1))`, expect{referee.Won, "2", ""}, ample},
		"two stones":                 {`read pile; echo $((pile - 2))`, expect{referee.Won, "2", ""}, ample},
		"fails after its answer":     {honest + `; exit 1`, expect{referee.Won, "2", ""}, ample},
		"is killed after its answer": {honest + `; kill -9 $$`, expect{referee.Won, "2", ""}, ample},
		"lives on, closed":           {honest + `; exec >&-; exec sleep 100`, expect{referee.Won, "2", ""}, ample},
		"leaves a child": {
			`sleep 100 & echo $! >>"$PIDS"; ` + honest, expect{referee.Won, "2", ""}, ample,
		},
		"resigns":               {`echo resign`, expect{referee.Resigned, "2", ""}, ample},
		"illegal":               {`read pile; echo $((pile - 3))`, expect{referee.IllegalMove, "2", "one or two are taken"}, ample},
		"garbage":               {`echo hello`, expect{referee.Unreadable, "2", `"hello"`}, ample},
		"nothing":               {`exit 0`, expect{referee.Unreadable, "2", "exited without an answer"}, ample},
		"dies":                  {`exit 3`, expect{referee.Crashed, "2", "exited with code 3 without an answer"}, ample},
		"garbage and dies":      {`echo oh; exit 3`, expect{referee.Crashed, "2", `exited with code 3 without a valid answer: cannot read "oh"`}, ample},
		"is killed":             {`kill -SEGV $$`, expect{referee.Crashed, "2", "signal 11"}, ample},
		"closed, no answer":     {`exec >&-; exec sleep 100`, expect{referee.Closed, "2", "lived on"}, ample},
		"floods":                {`cat /dev/zero`, expect{referee.Flooded, "2", "65536 bytes"}, ample},
		"never answers":         {`exec sleep 100`, expect{referee.TimedOut, "2", "150ms + 100ms grace + 150ms for starting"}, brief},
		"answers, does not end": {honest + `; exec sleep 100`, expect{referee.TimedOut, "2", "had written 2 bytes"}, longer},
		"dribbles":              {`while :; do printf 1; sleep 0.02; done`, expect{referee.TimedOut, "2", ""}, brief},
		"a child holds on": {
			`(trap '' TERM HUP; exec sleep 100) & echo $! >>"$PIDS"; exec sleep 100`, expect{referee.TimedOut, "2", ""}, brief,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := honest
			if c.want.code == referee.TimedOut {
				other = "exit 9" // never asked
			}
			e, replay, _ := toyGame{protocol: toyOneShot{}, scripts: [2]string{c.script, other}, limits: c.limits}.play(t)
			c.want.check(t, e)
			if e.Fault != nil && e.Code != referee.Resigned && (e.Exit == "" || len(e.LastLines) == 0) {
				t.Errorf("nothing of the process is kept: %+v", e)
			}
			if e.Code == referee.Won && len(replay.Moves) != e.Plies {
				t.Errorf("%d moves in %d plies", len(replay.Moves), e.Plies)
			}
		})
	}
}

// TestOneShotKeepsStderr: the tail and the exit code of the process at fault.
func TestOneShotKeepsStderr(t *testing.T) {
	t.Parallel()
	e, _, _ := toyGame{protocol: toyOneShot{}, scripts: [2]string{`echo trouble >&2; exit 7`, ""}}.play(t)
	if e.StderrTail != "trouble\n" || e.StderrBytes != 8 || e.ExitCode == nil || *e.ExitCode != 7 {
		t.Errorf("%+v", e)
	}
	if want := `> [\"stones\" \"6\"] 6`; len(e.LastLines) != 1 || e.LastLines[0] != want {
		t.Errorf("%q, want %q", e.LastLines, want)
	}
}

// TestOneShotQuestionsOnRecord: a question that is not the one by the rules is found.
func TestOneShotQuestionsOnRecord(t *testing.T) {
	t.Parallel()
	const honest = `read pile; echo $((pile - 1))`
	_, _, text := toyGame{protocol: toyOneShot{}, scripts: [2]string{honest, honest}}.play(t)
	for name, c := range map[string]struct{ from, to, want string }{
		"arguments": {`"arguments":["stones","5"]`, `"arguments":["stones","4"]`, `by the rules it is "5\n" with the arguments ["stones" "5"]`},
		"input":     {`"text":"5\n","arguments":["stones","5"]`, `"text":"4\n","arguments":["stones","5"]`, `by the rules`},
		"answer":    {`"event":"received","t_ms"`, `"event":"received","text":"3\n","t_ms"`, "another move"},
	} {
		changed := strings.Replace(text, c.from, c.to, 1)
		if name == "answer" {
			changed = strings.Replace(text, `"text":"5\n"}`, `"text":"4\n"}`, 1)
		}
		if changed == text {
			t.Fatalf("%s: nothing to change in\n%s", name, text)
		}
		replay, err := judgeText(0, changed)
		if err != nil || !strings.Contains(strings.Join(replay.Disagreements, "\n"), c.want) {
			t.Errorf("%s: %v, %q; want %q", name, err, replay.Disagreements, c.want)
		}
	}
}

// TestOneShotCannotStart: that a process cannot be started at all is nobody's loss.
func TestOneShotCannotStart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("#!/no/such/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &referee.Match{Conditions: referee.Conditions{Game: toy{}, Limits: ample}, Games: 1}
	for i := range s.Entrants {
		s.Entrants[i] = referee.Entrant{Name: fmt.Sprint(i), Protocol: toyOneShot{}, Command: process.Command{Args: []string{file}}}
	}
	score, err := s.Run(t.Context())
	if !errors.Is(err, referee.ErrVoid) || score.Voids != 2 || !strings.Contains(err.Error(), `names the interpreter "/no/such/interpreter"`) {
		t.Errorf("%+v, %v", score, err)
	}
}

// BenchmarkAnew is what a question costs that a process is started for.
func BenchmarkAnew(b *testing.B) {
	seat, err := referee.NewSeat(b.Context(), referee.Entrant{Command: process.Command{Args: []string{"/bin/echo"}}, Protocol: toyOneShot{}}, game.First, ample, nil)
	if err != nil {
		b.Fatal(err)
	}
	view := toyPosition{left: 6}.View(game.First)
	for b.Loop() {
		start := time.Now()
		seat.Ask(b.Context(), referee.Question{View: view, Start: start, Deadline: start.Add(time.Minute)})
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "processes/s")
}
