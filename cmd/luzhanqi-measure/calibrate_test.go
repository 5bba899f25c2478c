package main

import (
	"regexp"
	"strings"
	"testing"
)

// What players foretell is printed by phases and deciles, the same however many games are played at a time; who says nothing is said to.
func TestCalibrate(t *testing.T) {
	var texts [2]string
	for i := range texts {
		c := &calibrateCommand{Player: "strong", Against: []string{"greedy", "medium"}, Judges: []string{"handmade", "oracle", "greedy"}, Games: 2, Nodes: 200, Every: 3, Parallel: 1 + i, Seed: 1}
		var out strings.Builder
		if err := c.Run(&out); err != nil {
			t.Fatal(err)
		}
		texts[i] = out.String()
	}
	if texts[0] != texts[1] {
		t.Errorf("two at a time:\n%s\none:\n%s", texts[1], texts[0])
	}
	for _, want := range []string{
		`strong takes \d+\.\d % of 2 games from greedy`,
		`strong against greedy: \d+ moves, Brier score 0\.\d+, \d\.\d+ nats, foretold 0\.\d+, came [01]\.\d+, bias [+-]0\.\d+`,
		`  from ply   0: +\d+, foretold`,
		`  decile  1: +\d+, foretold`,
		`oracle in all games: \d+ moves`,
		`greedy against medium: foretold nothing`,
	} {
		if !regexp.MustCompile(want).MatchString(texts[0]) {
			t.Errorf("no %q in\n%s", want, texts[0])
		}
	}
	if err := (&calibrateCommand{Games: 0}).Run(&strings.Builder{}); err == nil {
		t.Error("no games are no error")
	}
	if err := (&calibrateCommand{Player: "strong", Against: []string{"nobody"}, Games: 1, Every: 1, Parallel: 1}).Run(&strings.Builder{}); err == nil {
		t.Error("no such player is no error")
	}
}
