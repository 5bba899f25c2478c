package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi/regret"
)

// Positions that the command makes can be read, and are as many as were asked for; and players are measured and compared.
func TestRegret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "positions.txt")
	made := &regretPositions{Out: file, Player: "strong", Against: []string{"greedy"}, Games: 1, Each: 2, Nodes: 60, By: []string{"easy@300"}, Long: 60, Seed: 1}
	if err := made.Run(io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := regret.Read(string(text)); err != nil || len(all) != 2 || len(all[0].Values["easy@300"]) < 2 {
		t.Errorf("%v; %d positions: must be 2, with values by easy@300", err, len(all))
	}
	var out strings.Builder
	c := &regretMeasure{Players: []string{"strong@60", "greedy"}, Seeds: 2, Earlier: 1, Most: 3}
	if err := c.Run(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3 positions, 2 seeds ", "regret by long-f665184 ", "strong@60 ", "greedy ", "  against strong@60 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if err := (&regretMeasure{Players: []string{"nobody"}, Seeds: 2, Most: 1}).Run(io.Discard); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("%v", err)
	}
}
