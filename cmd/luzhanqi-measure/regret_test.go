package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/regret"
)

// Positions that the command makes can be read, and are as many as were asked for; and players are measured and compared.
func TestRegret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "positions.txt")
	made := &regretPositions{Out: file, Player: "strong", Against: []string{"greedy"}, Games: 1, Each: 2, Nodes: 60, By: []string{"easy@300"}, Long: 60, Verdicts: 1, Seed: 1}
	if err := made.Run(io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := regret.Read(string(text)); err != nil || len(all) != 2 || len(all[0].Verdicts["easy@300"]) != 1 || len(all[0].Verdicts["easy@300"][0].Values) < 2 {
		t.Errorf("%v; %d positions: must be 2, with a verdict by easy@300", err, len(all))
	}
	var out strings.Builder
	c := &regretMeasure{Players: []string{"strong@60", "greedy"}, Seeds: 2, Earlier: 1, Most: 3}
	if err := c.Run(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3 positions, 2 seeds ", "regret by long-f665184 ", "by its other verdict ", "strong@60 ", "greedy ", "  against strong@60 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if err := (&regretMeasure{Players: []string{"nobody"}, Seeds: 2, Most: 1}).Run(io.Discard); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("%v", err)
	}
}

// The committed positions are judged again by one search, and keep what others said; their file says so.
func TestRegretJudge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "positions.txt")
	c := &regretJudge{Out: file, By: []string{"long"}, Long: 60, Verdicts: 2, Seed: 1, Commit: "abc", Most: 3}
	if err := c.Run(io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := regret.Read(string(text))
	if err != nil || len(all) != c.Most {
		t.Fatalf("%v; %d positions", err, len(all))
	}
	for i, p := range all {
		before := &regret.Positions()[i]
		if p.Ply != before.Ply || !reflect.DeepEqual(p.Verdicts["long-f665184"], before.Verdicts["long-f665184"]) {
			t.Errorf("position %d is another, or what the other search says of it", i+1)
		}
		long := p.Verdicts["long"]
		if len(long) != c.Verdicts || slices.Equal(long[0].Values, long[1].Values) {
			t.Fatalf("position %d: %v: must be two verdicts, by different seeds", i+1, long)
		}
		if slices.Equal(long[0].Values, before.Verdicts["long"][0].Values) {
			t.Errorf("position %d: judged as before by 1/25,000 of the positions", i+1)
		}
	}
	if want := regret.Header() + "the values by long judged by\ngo run ./cmd/luzhanqi-measure regret judge --out FILE --by long --long 60 --verdicts 2 --seed 1 --most 3\nat commit abc\n"; !strings.HasPrefix(regretHeader(string(text)), want) {
		t.Errorf("%s\nmust begin with\n%s", text[:600], want)
	}
}

func TestRegretRefuses(t *testing.T) {
	for _, err := range []error{(&regretMeasure{Players: []string{"greedy"}, Seeds: 2, Most: -1}).Run(io.Discard), (&regretJudge{Most: -1}).Run(io.Discard)} {
		if err == nil || !strings.Contains(err.Error(), "--most -1: allowed are") {
			t.Errorf("%v", err)
		}
	}
	c := &regretJudge{Out: filepath.Join(t.TempDir(), "never"), By: []string{"long"}, Long: 60, Most: 1}
	if err := c.Run(io.Discard); err == nil || !strings.Contains(err.Error(), "--verdicts 0: allowed are whole numbers from 1") {
		t.Errorf("%v", err)
	}
}

// regretHeader is the first lines of a file of positions, without what marks them.
func regretHeader(text string) string {
	var all strings.Builder
	for line := range strings.Lines(text) {
		if said, ok := strings.CutPrefix(line, "# "); ok {
			all.WriteString(said)
		}
	}
	return all.String()
}

// What was dropped early is not chosen, however good it looks.
func TestChosenOf(t *testing.T) {
	for _, test := range []struct {
		all  []player.Explained
		want int
	}{
		{[]player.Explained{{Visits: 100, Value: 0.1}, {Visits: 100, Value: 0.2}, {Visits: 49, Value: 0.9}}, 1},
		{[]player.Explained{{Visits: 100, Value: 0.1}, {Visits: 50, Value: 0.2}, {Visits: 0, Value: 0.9}}, 1},
		{[]player.Explained{{Visits: 10, Value: -0.9}}, 0},
	} {
		if got := chosenOf(test.all); got != test.want {
			t.Errorf("%v: number %d, must be %d", test.all, got, test.want)
		}
	}
	if got := wins(nil); got != "–" {
		t.Errorf("nothing is %q", got)
	}
}
