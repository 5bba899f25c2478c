package starters

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/check"
	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/process"
	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/opening"
)

func TestMain(m *testing.M) {
	process.Reexec(check.Probe)
	flag.Parse()
	if flag.Lookup("test.parallel").Value.String() == flag.Lookup("test.parallel").DefValue {
		flag.Set("test.parallel", "4") // most of a check waits
	}
	process.AdoptOrphans()
	os.Exit(m.Run())
}

// TestStarters guards that what people start from is built by its build line, plays a game to its end by the rules, and passes
// every step of the check that applies to it, shut in as submissions are.
func TestStarters(t *testing.T) {
	for _, l := range Languages {
		for _, name := range l.Games() {
			t.Run(l.Name+"/"+name, func(t *testing.T) {
				processtest.Need(t, l.Needs...)
				t.Parallel()
				g, err := games.Find(name)
				if err != nil {
					t.Fatal(err)
				}
				played(t, g, built(t, l, g), l.Name == "python")
			})
		}
	}
}

// built is a starter as Write writes it, built and sealed.
func built(t *testing.T, l Language, g game.Game) referee.Entrant {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new", "bot")
	if err := Write(dir, l, g, "luzhanqi"); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("bash", "-c", l.Build)
	compile.Dir = dir
	compile.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", l.Build, err, out)
	}
	e, err := referee.ParseEntrant(g, l.Run, l.Name)
	if err != nil {
		t.Fatal(err)
	}
	e.Command.Dir = dir
	if err := process.Isolation().Sealed(); err == nil { // else it still has to play
		e.Command.Sandbox = sandbox.Policy{Profile: sandbox.Sealed}
	}
	return e
}

// telling are the steps in which languages differ: what they read and buffer, and how they end.
var telling = []string{
	"setup-legal", "moves-legal", "joined-messages", "exits-after-end", "exit-code", "opponent-illegal", "over-by-own-move", "input-ends", "input-ends-code",
}

// played plays a game, then checks: at night, and if it is asked for, by all steps.
func played(t *testing.T, g game.Game, e referee.Entrant, all bool) {
	t.Helper()
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	random, err := referee.ParseEntrant(g, "builtin:random", "")
	if err != nil {
		t.Fatal(err)
	}
	under := referee.Conditions{Game: g, Rules: rules, Limits: g.Limits()}
	l := &under.Limits
	l.SetUp, l.First, l.Move, l.Start, l.Grace = time.Minute, 0, time.Minute, time.Minute, 10*time.Second
	oneShot := e.OneShot()
	if oneShot {
		l.MaxPlies = 40 // a process for each
	}
	told := e // it reads the extension for openings, too
	if !oneShot {
		if told.Protocol, err = games.FindProtocol(g, e.Protocol.Name()+"+openings"); err != nil {
			t.Fatal(err)
		}
	}
	book := &opening.Book{Random: 5}
	if g.HasSetUp() {
		r := rand.New(rand.NewPCG(1, 2))
		book.List = []game.Opening{{SetUps: [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)}}}
	}
	begun(t, under, told, random)
	match := referee.Match{Conditions: under, Entrants: [2]referee.Entrant{told, random}, Games: 2, Seed: 3, Openings: book}
	match.Ended = func(r referee.Result, _ referee.Score) {
		if e := r.Ending; e.Code != referee.Won && e.Code != referee.Drawn {
			t.Errorf("the game did not end by the rules: %s\n%s", e.Reason, e.StderrTail)
		}
	}
	if _, err := match.Run(context.Background()); err != nil {
		t.Error(err)
	}
	o := check.Options{Games: 4, Seed: 1}
	if os.Getenv("LUZHANQI_NIGHTLY") == "" {
		if !all {
			o.Only = telling
		}
		l.MaxPlies = 40
		if oneShot {
			l.MaxPlies = 16
		}
	}
	r, err := check.Run(context.Background(), check.Subject{Program: e, Conditions: under}, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Passed == 0 || o.Only == nil && len(r.Steps) != len(check.Steps()) {
		t.Errorf("%d steps passed, of %d results", r.Passed, len(r.Steps))
	}
	for _, s := range r.Steps {
		if s.Verdict == check.Fail {
			t.Errorf("step %s: %+v", s.Step, s.Failure)
		}
	}
}

// begun plays two games that begin with a position: one with the first side to move, one with the second.
func begun(t *testing.T, under referee.Conditions, told, random referee.Entrant) {
	t.Helper()
	g, ok := under.Game.(game.Positional)
	if !ok || told.OneShot() {
		return // nobody begins so, or each question is a position
	}
	start, err := g.New(under.Rules, [2]game.SetUp{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	under.Limits.MaxPlies = 20
	var list []game.Opening
	for plies := range 2 {
		pos := start
		for _, m := range opening.Draw(r, start, 6+plies, under.Outcome) {
			pos = pos.Play(m)
		}
		list = append(list, game.Opening{Position: string(g.FormatPosition(pos))})
	}
	match := referee.Match{Conditions: under, Entrants: [2]referee.Entrant{told, random}, Games: 4, Seed: 5}
	match.Openings = &opening.Book{List: list, Random: 1}
	match.Ended = func(r referee.Result, _ referee.Score) {
		if e := r.Ending; e.Code != referee.Won && e.Code != referee.Drawn {
			t.Errorf("a game that began with a position did not end by the rules: %s\n%s", e.Reason, e.StderrTail)
		}
	}
	if _, err := match.Run(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestLength guards that a starter can be read in one sitting, and is no sketch.
func TestLength(t *testing.T) {
	for _, l := range Languages {
		for _, name := range l.Games() {
			source, err := l.Source(name)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(source), "\n"); n < 60 || n > 150 {
				t.Errorf("%s/%s has %d lines, and 60 to 150 were promised", l.Name, name, n)
			}
		}
	}
}

// TestEmbedded guards that the table and the folders fit: every folder is a language, with Luzhanqi and Jungle.
func TestEmbedded(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		l, ok := Find(e.Name())
		if !ok {
			t.Errorf("%s is no language", e.Name())
			continue
		}
		if all := strings.Join(l.Games(), " "); !strings.Contains(all, "jungle") || !strings.Contains(all, "luzhanqi") {
			t.Errorf("%s has %s", l.Name, all)
		}
	}
	python, _ := Find("python")
	if len(python.Games()) != len(games.All) {
		t.Errorf("python has %v", python.Games())
	}
}

// TestWriteRefuses guards that nothing of a student's is overwritten.
func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "bot.py")
	if err := os.WriteFile(own, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	python, _ := Find("python")
	err := Write(dir, python, games.All[0], "luzhanqi")
	if err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("%v, want that it is not empty", err)
	}
	if text, _ := os.ReadFile(own); string(text) != "mine" {
		t.Errorf("%s now holds %.40q", own, text)
	}
}
