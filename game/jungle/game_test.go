package jungle

import (
	"strings"
	"testing"

	"luzhanqi/game"
)

func TestGame(t *testing.T) {
	g := Game{}
	rules, err := game.ParseRules("rules=statement", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	pos, err := g.New(rules, [2]game.SetUp{})
	if err != nil {
		t.Fatal(err)
	}
	if b := pos.(*Position).Board(); b.Reading() != Statement || b != Start(Statement) {
		t.Error("the rule is not heeded")
	}
	for text, want := range map[string]string{
		"": "allowed is", "0 6 0": "allowed is", "0 6 0 5 ": `" " follows`, "0 6 0 5 hello": "follows", "0 6 0 5x": "follows",
		" 0 6 0 5": "allowed is", "0  6 0 5": "allowed is", "0 6 0 9": "9 is out of range", "7 6 0 5": "7 is out of range",
		"-1 0 0 0": "allowed is", "00 6 0 5": "allowed is", "0,6,0,5": "allowed is", "0 6\t0 5": "allowed is", "random": "allowed is",
	} {
		if m, err := g.ParseMove(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %s, %v; want %q", text, MoveName(m), err, want)
		}
	}
}
