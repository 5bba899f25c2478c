package main

import (
	"regexp"
	"strings"
	"testing"

	rules "luzhanqi/game/luzhanqi"
)

// What fights were expected to gain is printed beside what they gained, the same for the same seed; who says nothing of what it believes is
// refused.
func TestFights(t *testing.T) {
	var texts [2]string
	for i := range texts {
		c := &fightsCommand{Players: []string{"strong", "strong-f665184"}, Against: []string{"greedy"}, Games: 4, Nodes: 200, Seed: 1}
		var out strings.Builder
		if err := c.Run(&out); err != nil {
			t.Fatal(err)
		}
		texts[i] = out.String()
	}
	if texts[0] != texts[1] {
		t.Errorf("another time:\n%s\nat first:\n%s", texts[1], texts[0])
	}
	for _, want := range []string{
		`strong-f665184 against greedy\n`,
		`  unknown pieces that have moved +\d+\.\d +[+-]\d+ +[+-]\d+ +[+-]\d+ ± \d+ +\d+\.\d % +\d+\.\d %`,
		`  unknown pieces that have not moved +\d+\.\d `,
	} {
		if !regexp.MustCompile(want).MatchString(texts[0]) {
			t.Errorf("no %q in\n%s", want, texts[0])
		}
	}
	for _, wrong := range []fightsCommand{
		{Players: []string{"strong"}, Against: []string{"greedy"}},
		{Players: []string{"greedy"}, Against: []string{"greedy"}, Games: 1},
		{Players: []string{"strong"}, Against: []string{"nobody"}, Games: 1},
	} {
		if err := wrong.Run(&strings.Builder{}); err == nil {
			t.Errorf("%+v is no error", wrong)
		}
	}
}

// A fight is worth what falls: both of the same rank, and who is beaten.
func TestFought(t *testing.T) {
	for _, c := range []struct {
		attacker, defender rules.Rank
		gain, fell         float64
	}{
		{rules.FieldMarshal, rules.General, 800, 1},
		{rules.General, rules.FieldMarshal, -800, 0},
		{rules.General, rules.General, 0, 1},
		{rules.Bomb, rules.FieldMarshal, 1000 - 420, 1},
		{rules.Engineer, rules.Landmine, 230, 1},
	} {
		if gain, fell := fought(c.attacker, c.defender, false); gain != c.gain || fell != c.fell {
			t.Errorf("%v attacks %v: %v, %v, must be %v, %v", c.attacker, c.defender, gain, fell, c.gain, c.fell)
		}
	}
}
