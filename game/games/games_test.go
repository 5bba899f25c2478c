package games

import (
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// TestFormerNames guards that command lines, plans and records may name a protocol as it was once called.
func TestFormerNames(t *testing.T) {
	for _, c := range []struct{ game, former, name string }{{"chess1d", "anew", "oneshot"}, {"gastank", "terminal", "console"}} {
		g, err := Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{c.former, c.name} {
			if p, err := FindProtocol(g, name); err != nil || p.Name() != c.name || FormerName(p.Name()) != c.former {
				t.Errorf("%s: dialect %q is %v, %v, want %s", c.game, name, p, err, c.name)
			}
		}
	}
	if p, err := FindProtocol(All[0], "anew"); err == nil {
		t.Errorf("luzhanqi has a dialect anew: %v", p)
	}
}

// TestNoSetUps guards that all games without set-ups take the empty one, which is none, and no other.
func TestNoSetUps(t *testing.T) {
	for _, g := range All {
		if g.HasSetUp() {
			continue
		}
		rules, err := game.ParseRules("", g.Options())
		if err != nil {
			t.Fatal(err)
		}
		if s, err := g.ParseSetUp(""); s != "" || err != nil || g.CheckSetUp("") != nil || g.RandomSetUp(nil) != "" {
			t.Errorf("%s: the empty set-up is %q, %v, %v", g.Name(), s, err, g.CheckSetUp(""))
		}
		if _, err := g.New(rules, [2]game.SetUp{}); err != nil {
			t.Errorf("%s: %v", g.Name(), err)
		}
		if _, err := g.ParseSetUp("A1:3"); err == nil || g.CheckSetUp("A1:3") == nil {
			t.Errorf("%s: a set-up is accepted: %v", g.Name(), err)
		}
		if _, err := g.New(rules, [2]game.SetUp{"", "A1:3"}); err == nil || !strings.Contains(err.Error(), "player 2") {
			t.Errorf("%s: a game begins with a set-up: %v", g.Name(), err)
		}
	}
}

// TestPromises guards that every game keeps what package game promises of games.
func TestPromises(t *testing.T) {
	for _, g := range All {
		t.Run(g.Name(), func(t *testing.T) { gametest.KeepsItsPromises(t, g, 10) })
	}
}

// TestEndsAreOfTheirKind guards that who knows a protocol's kind knows the methods of its referee's end.
func TestEndsAreOfTheirKind(t *testing.T) {
	for _, g := range All {
		for _, p := range g.Protocols() {
			end := p.RefereeEnd(game.First, g.Limits())
			_, oneShot := end.(game.OneShotEnd)
			_, console := end.(game.ConsoleEnd)
			if oneShot != (p.Kind() == game.OneShot) || console != (p.Kind() == game.Console) {
				t.Errorf("%s, %s is a %v; its end asks questions: %v, is for a console: %v", g.Name(), p.Name(), p.Kind(), oneShot, console)
			}
		}
	}
}
