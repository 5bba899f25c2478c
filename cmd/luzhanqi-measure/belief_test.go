package main

import (
	"strings"
	"testing"
)

// Beliefs about a player are measured with and without what was learned, on the same pieces.
func TestBelief(t *testing.T) {
	var out strings.Builder
	c := &beliefCommand{Players: []string{"medium@60"}, Opponent: "greedy", Games: 2, Ply: 20, Seed: 1, Prior: -1, Likelihoods: -1, Strangers: -1}
	if err := c.Run(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"after ply 20", "medium@60: constraints ", "medium@60: f665184 ", "medium@60: strangers without habits ", "medium@60: makers and habits ", "medium@60: made by", "anybody "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if err := (&beliefCommand{Players: []string{"nobody"}, Opponent: "greedy", Games: 1, Ply: 1}).Run(&out); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("%v", err)
	}
}
