package check

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/process"
	"luzhanqi/process/processtest"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// unhurried are limits that no honest program exceeds, however busy the machine is.
func unhurried(l game.Limits) game.Limits {
	l.SetUp, l.First, l.Move, l.Start, l.Grace = time.Minute, 0, time.Minute, time.Minute, 10*time.Second
	return l
}

// subject is a program in a dialect of a game, with unhurried limits.
func subject(t *testing.T, gameName, dialect string, words ...string) Subject {
	t.Helper()
	g, err := games.Find(gameName)
	if err != nil {
		t.Fatal(err)
	}
	p, err := games.FindProtocol(g, dialect)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	return Subject{
		Program:    referee.Entrant{Name: "tried", Command: process.Command{Args: words}, Protocol: p},
		Conditions: referee.Conditions{Game: g, Rules: rules, Limits: unhurried(g.Limits())},
	}
}

func run(t *testing.T, s Subject, o Options) Report {
	t.Helper()
	o.Again = "luzhanqi check tried"
	if o.Seed == 0 {
		o.Seed = 1
	}
	r, err := Run(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// printed is the whole report for people.
func printed(r *Report) string {
	var out strings.Builder
	printer := &Text{Out: &out}
	for _, s := range r.Steps {
		printer.Line(s)
	}
	printer.Summary(r)
	return out.String()
}

func find(t *testing.T, r *Report, step string) Result {
	t.Helper()
	i := slices.IndexFunc(r.Steps, func(s Result) bool { return s.Step == step })
	if i < 0 {
		t.Fatalf("no result of step %s:\n%s", step, printed(r))
	}
	return r.Steps[i]
}

// TestOwnPlayers guards that all dialects can be checked, those without an example, too.
func TestOwnPlayers(t *testing.T) {
	for _, g := range games.All {
		for _, p := range g.Protocols() {
			t.Run(g.Name()+"/"+p.Name(), func(t *testing.T) {
				t.Parallel()
				s := subject(t, g.Name(), p.Name(), luzhanqiCommand, "player", "--game", g.Name(), "--dialect", p.Name(), "--level", "random")
				r := run(t, s, Options{Games: 4, Only: []string{
					"moves-legal", "joined-messages", "exits-after-end", "exit-code", "opponent-resigns", "opponent-illegal",
					"opponent-crashes", "over-by-own-move", "broken-off", "input-ends", "no-leftovers",
				}})
				if r.Failed > 0 || find(t, &r, "moves-legal").Verdict != Pass {
					t.Errorf("%s", printed(&r))
				}
			})
		}
	}
}

// TestOpenings guards that a program that says it can be told openings is told some, from both seats, and is found out if it
// does not listen.
func TestOpenings(t *testing.T) {
	processtest.Need(t, "sh", "grep")
	for _, x := range []struct {
		game, dialect, filter string
		fails                 bool
	}{
		{"luzhanqi", "5500+openings", "", false},
		{"quagmire", "plain+openings", "", false},
		{"gastank", "plain+openings", "", false},
		{"quagmire", "plain+openings", "opening", true}, // plays on from where it believes to be
	} {
		t.Run(x.game+" without "+x.filter, func(t *testing.T) {
			t.Parallel()
			program := []string{luzhanqiCommand, "player", "--game", x.game, "--level", "random"}
			if x.filter != "" {
				program = []string{"sh", "-c", "grep --line-buffered -v ^" + x.filter + " | " + strings.Join(program, " ")}
			}
			r := run(t, subject(t, x.game, x.dialect, program...), Options{Games: 4, Only: []string{"games-random-1", "games-random-2"}})
			if r.Failed > 0 != x.fails || r.Passed+r.Failed == 0 {
				t.Errorf("%s", printed(&r))
			}
		})
	}
}

// TestNotStarted guards that a program that cannot run at all is one failure, with the reason, and
// that nothing else is tried.
func TestNotStarted(t *testing.T) {
	dir := t.TempDir()
	lines := filepath.Join(dir, "no-program")
	if err := os.WriteFile(lines, []byte("neither a program nor a script\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dialect, program, step, words string }{
		{"luzhanqi", "./no-such-bot", "found", "not found"},
		{"luzhanqi", "check.go", "found", "not found"},
		{"luzhanqi", "./check.go", "found", "not executable"},
		{"luzhanqi", lines, "starts", "exec format error"},
		{"chess1d", lines, "starts", "exec format error"},
	} {
		r := run(t, subject(t, c.dialect, "", c.program), Options{})
		f := find(t, &r, c.step)
		if f.Verdict != Fail || !strings.Contains(f.Failure.Happened, c.words) {
			t.Errorf("%s: step %s found %+v", c.program, c.step, f)
		}
		if r.Failed != 1 || r.Passed+r.Failed+r.Skipped != len(Steps()) {
			t.Errorf("%s: %s", c.program, printed(&r))
		}
	}
}

// TestRecord guards that the record of a failed step can be judged without the program, and says the same.
func TestRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "records")
	s := subject(t, "luzhanqi", "", hostile, "move-mine", "move5")
	r := run(t, s, Options{Games: 4, Only: []string{"moves-legal", "games-random-1"}, Records: dir, Seed: 9})
	f := find(t, &r, "moves-legal").Failure
	if f == nil || f.Record != filepath.Join(dir, "moves-legal-9.jsonl") {
		t.Fatalf("%s", printed(&r))
	}
	kept, err := os.ReadFile(f.Record)
	if err != nil || !bytes.Equal(kept, f.RecordText) {
		t.Fatalf("%d bytes in the file, %d in the report: %v", len(kept), len(f.RecordText), err)
	}
	replay, err := record.Read(bytes.NewReader(kept), games.Find)
	if err != nil || len(replay.Disagreements) > 0 || replay.Ending.Reason != f.Happened {
		t.Errorf("%v, %v: %+v", err, replay.Disagreements, replay.Ending)
	}
	full := find(t, &r, "games-random-1").Failure
	if len(full.Fouls) != 1 || full.Fouls[0].Code != referee.IllegalMove || full.Fouls[0].Count != 1 || full.Fouls[0].Record == "" {
		t.Errorf("fouls %+v", full.Fouls)
	}
	if want := "luzhanqi check tried --only starts,moves-legal"; f.Again != want {
		t.Errorf("again by %q, want %q", f.Again, want)
	}
}

// TestSameSeedSameGames guards that a step can be seen again.
func TestSameSeedSameGames(t *testing.T) {
	var happened []string
	for _, only := range [][]string{{"moves-legal"}, {"starts", "setup-legal", "moves-legal"}} {
		r := run(t, subject(t, "luzhanqi", "", hostile, "move-mine", "move5"), Options{Seed: 5, Only: only})
		happened = append(happened, strings.Join(find(t, &r, "moves-legal").Failure.LastLines, "\n"))
	}
	if happened[0] != happened[1] {
		t.Errorf("with other steps before it the game was another:\n%s\n\n%s", happened[0], happened[1])
	}
}

func TestOptionsAreRefused(t *testing.T) {
	s := subject(t, "luzhanqi", "", hostile, "honest")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Games: 6}, "6 games: allowed are multiples of 4"},
		{Options{Games: -4}, "-4 games: allowed are multiples of 4"},
		{Options{Only: []string{"nosuch"}}, `no step "nosuch"`},
		{Options{Records: filepath.Join(file, "below")}, "the directory for records"},
	} {
		_, err := Run(context.Background(), s, c.o)
		if !errors.Is(err, ErrSubject) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("found %v, want %q", err, c.want)
		}
	}
	if _, err := Run(context.Background(), Subject{}, Options{}); !errors.Is(err, ErrSubject) {
		t.Errorf("nothing to check: %v", err)
	}
}

// TestInterrupted guards that an end of the context ends the check at once, without a verdict that is none.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := subject(t, "luzhanqi", "", hostile, "silent", "setup")
	o := Options{Each: func(r Result) {
		if r.Step == "found" {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	}}
	r, err := Run(ctx, s, o)
	if !errors.Is(err, context.Canceled) || r.Failed > 0 {
		t.Errorf("%v after %s", err, printed(&r))
	}
}

// TestFrameOfTheProgram guards that a failure names squares as the program does, where a dialect has it see the board
// from the other side. The knights that it moves to and fro run out of gas, if they are not taken before.
func TestFrameOfTheProgram(t *testing.T) {
	s := subject(t, "gastank", "console", hostile, "-talk", "gastank-console", "honest")
	r := run(t, s, Options{Only: []string{"moves-legal"}})
	f := find(t, &r, "moves-legal").Failure
	if f == nil {
		t.Fatal(printed(&r))
	}
	var move string // A7B5 with this seed: where A1 is the same square, seen by player 1
	for _, line := range f.LastLines {
		if printed, ok := strings.CutPrefix(line, "< I move: "); ok {
			move = printed
		}
	}
	if want := "played an illegal move: " + move + ": "; move == "" || !strings.Contains(f.Happened, want) || !strings.HasPrefix(
		regexp.MustCompile(` on (\S+)`).FindStringSubmatch(f.Happened + " on ?")[1], move[:2]) {
		t.Errorf("the program played %q; the failure says: %s", move, f.Happened)
	}
}

// TestRecognised guards that what an adapter recognises is shown before the first verdict.
func TestRecognised(t *testing.T) {
	s := subject(t, "gastank", "console", hostile, "-talk", "gastank-console", "honest")
	s.Limits.MaxPlies = 4
	var order []string
	r := run(t, s, Options{
		Only:       []string{"found"},
		Recognised: func(lines []string) { order = append(order, lines...) },
		Each:       func(r Result) { order = append(order, r.Step) },
	})
	if len(r.Recognised) == 0 || !slices.Equal(order, append(slices.Clone(r.Recognised), "found")) {
		t.Errorf("found %q, recognised %q", order, r.Recognised)
	}
}

// TestMeasures guards that memory and processor time are measured, and shown as information.
func TestMeasures(t *testing.T) {
	s := subject(t, "luzhanqi", "5500", hostile, "busy", "50")
	s.Limits.MaxPlies = 10
	r := run(t, s, Options{Only: []string{"memory", "processor-time"}})
	if m := find(t, &r, "memory"); m.Verdict != Pass || !strings.Contains(m.Note, "(resident)") {
		t.Errorf("memory: %+v", m)
	}
	if p := find(t, &r, "processor-time"); p.Verdict != Pass || !regexp.MustCompile(`^[1-9].*ms a game on average, `).MatchString(p.Note) {
		t.Errorf("processor time: %+v", p)
	}
}
