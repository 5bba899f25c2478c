package protocoltests

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// A trial is one game between a hostile program and an honest one, or two hostile ones.
type trial struct {
	mode    string // with its arguments, as on the command line
	against string // the other program's; empty: honest
	seat    game.Side
	want    verdict
	talk    string // the name (-talk) of another game's conversation; empty: Luzhanqi's
}

// A verdict is what the referee must make of a program.
type verdict struct {
	codes  []referee.Code
	fault  bool   // the program's; else nobody's
	reason string // a part of it
	exit   exit
	stderr string // a part of what is kept of it
	pace   pace
	plies  int    // cap; 0: fewPlies
	retry  int    // illegal moves that may be taken back
	rival  string // the other program; empty: honest
}

// An exit is what the ending says of the program at fault; nil: whatever the system made of it.
type exit func(*referee.Ending) bool

func exited(code int) exit {
	return func(e *referee.Ending) bool { return e.ExitCode != nil && *e.ExitCode == code && e.Signal == 0 }
}

func signaled(number int) exit {
	return func(e *referee.Ending) bool {
		return e.ExitCode == nil && e.Signal == number && strings.Contains(e.Exit, "was killed by signal")
	}
}

func killed(e *referee.Ending) bool {
	return e.ExitCode == nil && e.Exit == "did not exit by itself and was killed by the referee"
}

// A pace is the limits of a game. Where no limit is meant to be exceeded, none comes near: the
// verdict must not depend on how busy the machine is.
type pace struct{ setUp, move, grace time.Duration }

var (
	hasty   = pace{1500 * time.Millisecond, 400 * time.Millisecond, 200 * time.Millisecond} // limits are to be exceeded
	patient = pace{60 * time.Second, 60 * time.Second, 150 * time.Millisecond}              // only the wait for an exit is
	dying   = pace{60 * time.Second, 60 * time.Second, 30 * time.Second}                    // nothing is
)

const (
	fewPlies  = 60               // enough for every phase
	allPlies  = 2000             // to the end
	allowance = 20 * time.Second // for a busy machine; far below patient's limits
)

func (v verdict) paced(p pace) verdict     { v.pace = p; return v }
func (v verdict) leaving(e exit) verdict   { v.exit = e; return v }
func (v verdict) saying(s string) verdict  { v.stderr = s; return v }
func (v verdict) capped(plies int) verdict { v.plies = plies; return v }
func (v verdict) retrying(n int) verdict   { v.retry = n; return v }
func (v verdict) because(s string) verdict { v.reason = s; return v }

// slowly gives the system time to do what the program has asked of it, before the game is over.
func (v verdict) slowly() verdict { v.rival = "late 20"; return v }

func (p pace) limits(plies int) game.Limits {
	if plies == 0 {
		plies = fewPlies
	}
	return game.Limits{SetUp: p.setUp, Move: p.move, Grace: p.grace, MaxPlies: plies}
}

func (tr trial) String() string {
	name := strings.ReplaceAll(strings.ReplaceAll(tr.mode, string(filepath.Separator), "."), " ", "_")
	if tr.against != "" {
		name += "_against_" + strings.ReplaceAll(tr.against, " ", "_")
	}
	if tr.talk != "" {
		name = tr.talk + "/" + name
	}
	return fmt.Sprintf("%s/player_%v", name, tr.seat)
}

// entrant is a hostile program whose processes can be found by the file of their ids.
func entrant(name, mode, pids string) referee.Entrant {
	protocol, _ := games.FindProtocol(luzhanqi.Game{}, "5500")
	return referee.Entrant{
		Name:     name,
		Command:  process.Command{Args: append([]string{hostile}, strings.Fields(mode)...), Env: withPIDs(pids)},
		Protocol: protocol,
	}
}

func withPIDs(pids string) []string { return []string{pidsVariable + "=" + pids} }

const pidsVariable = "HOSTILE_PIDS"

// match is one game for the trial.
func (tr trial) match(dir, pids string) *referee.Match {
	other := cmp.Or(tr.against, tr.want.rival, "honest")
	s := &referee.Match{
		Conditions: referee.Conditions{Game: luzhanqi.Game{}, Retries: tr.want.retry, Limits: tr.want.pace.limits(tr.want.plies)},
		Games:      1, Seed: 1, Concurrency: 1, Version: "test",
	}
	folder, err := record.NewFolder(dir)
	if err != nil {
		panic(err)
	}
	s.Record = folder.Begin
	s.Entrants[tr.seat] = entrant("tried", tr.mode, pids)
	s.Entrants[tr.seat.Other()] = entrant("other", other, pids)
	if tr.talk != "" {
		talksIn(s, tr.talk)
	}
	return s
}

// play plays the trial once and checks all that is promised of it. It is played once more where the machine gave the referee or a
// program no processor for so long that the game was void; nothing else may make it so.
func (tr trial) play(t *testing.T) {
	t.Helper()
	if voids := tr.attempt(t, true); voids != nil {
		t.Logf("void, and tried again: %q", voids)
		tr.attempt(t, false)
	}
}

// busy is whether a game was void since the machine was too busy.
func busy(e *referee.Ending) bool {
	return e.VoidBy == referee.ByMachine && strings.Contains(e.Reason, "could not get a processor") ||
		e.VoidBy == referee.ByStop && strings.Contains(e.Reason, "the referee was stopped")
}

// attempt returns why games were void, if the machine was too busy and that may be, instead of checking what came of the last.
func (tr trial) attempt(t *testing.T, mayBeBusy bool) (voids []string) {
	t.Helper()
	dir := t.TempDir()
	pids := filepath.Join(dir, "pids")
	records := filepath.Join(dir, "records")
	var heard listener
	var result referee.Result
	s := tr.match(records, pids)
	s.Watch = func(*referee.Game) referee.Observer { return &heard }
	s.Ended = func(r referee.Result, _ referee.Score) {
		if result = r; busy(r.Ending) {
			voids = append(voids, r.Ending.Reason)
		}
	}
	score, err := s.Run(t.Context())
	alive := survivors(pids) // at once: when a game is over, all of it is
	again := mayBeBusy && len(voids) > 0 && len(voids) == score.Voids
	if err != nil && !again {
		t.Fatalf("no game: %v", err)
	}
	for _, process := range alive {
		t.Errorf("outlives its game: %s", process)
	}
	if n := len(listed(pids)); n < 2 {
		t.Errorf("%d processes have written their id: both programs must have run", n)
	}
	if again {
		return voids
	}
	tr.verify(t, &heard, result, score)
	replays(t, result)
	if t.Failed() {
		t.Logf("took %v; ending: %+v\n%s", result.Took, result.Ending, recorded(records))
	}
	return nil
}

// recorded are the records in a folder, of void games too.
func recorded(folder string) string {
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		fmt.Fprintf(&all, "%s:\n%s", filepath.Base(file), text[:min(len(text), 8<<10)])
	}
	return all.String()
}

func (tr trial) verify(t *testing.T, heard *listener, r referee.Result, score referee.Score) {
	t.Helper()
	e := r.Ending
	if e == nil {
		t.Fatal("no game was reported")
	}
	if !slices.Contains(tr.want.codes, e.Code) {
		t.Errorf("ended as %s, want %v", e.Code, tr.want.codes)
	}
	if !strings.Contains(e.Reason, tr.want.reason) {
		t.Errorf("reason %q, want something with %q", e.Reason, tr.want.reason)
	}
	switch fault, winner := side(e.Fault), side(e.Winner); {
	case !tr.want.fault && fault != "nobody":
		t.Errorf("%s is at fault, want nobody", fault)
	case tr.want.fault && fault != tr.seat.String():
		t.Errorf("%s is at fault, want player %v", fault, tr.seat)
	case tr.want.fault && winner != tr.seat.Other().String():
		t.Errorf("%s has won, want player %v", winner, tr.seat.Other())
	}
	if e.Fault != nil && heard.count(*e.Fault) > 0 && len(e.LastLines) == 0 {
		t.Error("no last lines, though something was said")
	}
	if tr.want.exit != nil && !tr.want.exit(e) {
		t.Errorf("the program %s (code %v, signal %d), which is not what it did", e.Exit, show(e.ExitCode), e.Signal)
	}
	if !strings.Contains(e.StderrTail, tr.want.stderr) {
		t.Errorf("standard error is %q, want something with %q", e.StderrTail, tr.want.stderr)
	}
	if bound := tr.bound(e); r.Took > bound {
		t.Errorf("took %v, want %v at most", r.Took, bound)
	}
	if score.Games() != 1 || score.Voids != 0 || score.Endings[e.Code] != 1 {
		t.Errorf("the score is %+v", score)
	}
}

// bound is the time that the game may take: the limit that was exceeded, the graces, and what a busy
// machine may add.
func (tr trial) bound(e *referee.Ending) time.Duration {
	p := tr.want.pace
	bound := allowance
	if p != dying { // where an exit has no reason to be waited for
		bound += 3 * p.grace
	}
	if e.Code == referee.TimedOut {
		bound += max(p.setUp, p.move) + 2*(p.move+p.grace) // for a write that had to wait
	}
	return bound
}

func side(s *game.Side) string {
	if s == nil {
		return "nobody"
	}
	return s.String()
}

func show(n *int) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

// replays checks that the record of a game says what has happened, and that the rules agree with it.
func replays(t *testing.T, r referee.Result) *record.Replay {
	t.Helper()
	file, err := os.Open(r.Record)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	replay, err := record.Read(file, games.Find)
	if err != nil {
		t.Fatalf("read the record again: %v", err)
	}
	if replay.Torn {
		t.Error("the record is torn")
	}
	for _, d := range replay.Disagreements {
		t.Errorf("record and rules disagree: %s", d)
	}
	if d := diff.Diff(r.Ending, replay.Ending); d != "" {
		t.Errorf("recorded is another ending (-played +recorded):\n%s", d)
	}
	return replay
}

// unharmed plays a game between honest programs, as the next one after a hostile game, in the same
// conversation.
func unharmed(t *testing.T, talk string) {
	t.Helper()
	plies := 20
	if talk != "" {
		plies = 4 // a process or a silence for each
	}
	trial{mode: "honest", talk: talk, want: byRule.capped(plies)}.play(t)
}

// listener counts what was said, for each side.
type listener struct {
	mu    sync.Mutex
	heard [2]int
}

func (o *listener) count(s game.Side) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.heard[s]
}

func (o *listener) Message(m referee.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(m.Text) > 0 { // else a silence
		o.heard[m.Side]++
	}
}

func (*listener) SetUp(_ game.Side, _ game.SetUp, _, _ time.Duration) {}
func (*listener) Moved(_, _ game.Position, _ referee.Played)          {}
func (*listener) Refused(game.Position, game.Move, error)             {}
func (*listener) Ended(game.Position, *referee.Ending)                {}
