package bridge

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/process"
	"luzhanqi/process/processtest"
	"luzhanqi/referee"
)

func TestMain(m *testing.M) {
	process.Reexec()
	process.AdoptOrphans()
	os.Exit(m.Run())
}

// TestBridge plays a program behind the bridge against itself: both colours are told their turns, and every answer arrives.
func TestBridge(t *testing.T) {
	processtest.Need(t, "python3")
	g := jungle.Game{}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	e, err := referee.ParseEntrant(g, "python3 bridge.py python3 testdata/walker.py", "walker")
	if err != nil {
		t.Fatal(err)
	}
	e.Command.Dir = dir
	limits := g.Limits()
	limits.First, limits.Move, limits.Grace, limits.MaxPlies = time.Minute, time.Minute, 10*time.Second, 8
	match := referee.Match{Conditions: referee.Conditions{Game: g, Rules: rules, Limits: limits}, Entrants: [2]referee.Entrant{e, e}, Games: 1, Seed: 1}
	match.Ended = func(r referee.Result, _ referee.Score) {
		if r.Ending.Code != referee.Drawn || r.Ending.Plies != 8 {
			t.Errorf("the game ended by %s: %s\n%s", r.Ending.Code, r.Ending.Reason, r.Ending.StderrTail)
		}
	}
	if _, err := match.Run(context.Background()); err != nil {
		t.Error(err)
	}
}
