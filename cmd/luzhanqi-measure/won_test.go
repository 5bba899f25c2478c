package main

import (
	"regexp"
	"strings"
	"testing"

	"luzhanqi/game"
)

// Won positions are found and played to the end, the same for the same seed, by a search as well as by one who loses them.
func TestWon(t *testing.T) {
	run := func(c *wonCommand) string {
		var out strings.Builder
		if err := c.Run(&out); err != nil {
			t.Fatalf("%s: %v", c.Player, err)
		}
		return out.String()
	}
	base := wonCommand{Judge: "strong@3000", From: "greedy%60", Positions: 8, Nodes: 3000, Opening: 2, Seed: 1}
	for _, g := range []string{"jungle", "gastank", "quagmire"} {
		c := base
		c.Player = g + ":strong"
		text := run(&c)
		if again := run(&c); again != text {
			t.Errorf("%s, another time:\n%s\nat first:\n%s", g, again, text)
		}
		if !regexp.MustCompile(`\nall +8 +8 +0 +0 +0 +100\.0 ± `).MatchString(text) {
			t.Errorf("%s: who proves wins does not win all of them, in time:\n%s", g, text)
		}
	}
	c := base
	c.Player = "jungle:random"
	if text := run(&c); regexp.MustCompile(`\nall +8 +8 `).MatchString(text) {
		t.Errorf("random wins all:\n%s", text)
	}
}

// What becomes of a won position counts where it was proven, a win after more plies than that beside.
func TestWonPositions(t *testing.T) {
	var w wonPositions
	win := game.Outcome{Winner: game.Second}
	w.add(3, 3, win, game.Second)
	w.add(4, 6, win, game.Second)
	w.add(5, 9, win, game.First)
	w.add(99, 400, game.Drawn("plies"), game.First)
	var out strings.Builder
	if err := w.print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`\n1 to 3 +1 +1 +0 +0 +0\n`, `\n4 to 5 +2 +1 +0 +1 +1\n`, `\n14 on +1 +0 +1 +0 +0\n`, `\nall +4 +2 +1 +1 +1 +50\.0 ± `} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// What cannot be measured is refused, with what is allowed.
func TestWonRefuses(t *testing.T) {
	base := wonCommand{Player: "jungle:strong", Judge: "strong@100", From: "greedy%60", Positions: 1, Nodes: 100}
	for want, change := range map[string]func(*wonCommand){
		"GAME:PLAYER":                func(c *wonCommand) { c.Player = "strong" },
		"whole numbers from 1":       func(c *wonCommand) { c.Positions = 0 },
		"games of open positions":    func(c *wonCommand) { c.Player, c.Judge, c.From = "luzhanqi:strong", "strong@100", "greedy" },
		"from 1 and from 0":          func(c *wonCommand) { c.Nodes = 0 },
		"must be a search":           func(c *wonCommand) { c.Judge = "random" },
		`player "nobody" of jungle:`: func(c *wonCommand) { c.From = "nobody" },
	} {
		c := base
		change(&c)
		if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, must say %q", c, err, want)
		}
	}
}
