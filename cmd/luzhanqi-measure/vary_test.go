package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"luzhanqi/player/luzhanqi"
)

// Changes that are joined all happen, numbers are those of the name, and strong has none.
func TestChanged(t *testing.T) {
	s, all, ok := changed("plies9+prior33+nostorms+begin2")
	want := luzhanqi.Strong
	want.Plies, want.Full, want.Trust.Prior, want.Storms, want.Begin = 9, 0, 0.33, 0, 2
	if !ok || len(all) != 4 || s.Plies != 9 || s.Full != 0 || s.Begin != 2 || s.Storms != 0 || s.Trust != want.Trust {
		t.Errorf("%+v, want %+v", s, want)
	}
	if s, _, ok := changed("timid"); !ok || s.Boldness != 0 || want.Boldness == 0 {
		t.Errorf("timid: boldness %v, strong %v", s.Boldness, want.Boldness)
	}
	if s, _, ok := changed("impatient"); !ok || s.Passive || !want.Passive {
		t.Errorf("impatient: passive %v, strong %v", s.Passive, want.Passive)
	}
	if _, all, ok := changed("strong"); !ok || len(all) != 0 {
		t.Errorf("strong: changed by %v", all)
	}
	for _, wrong := range []string{"", "plies", "plies0", "plies09", "plies81", "9", "plies9+", "+plies9", "plies-9", "nemo", "strong+plies9", "storms17", "prior401"} {
		if _, _, ok := changed(wrong); ok {
			t.Errorf("%q is a variant", wrong)
		}
	}
}

// What changes are worth is found again, whatever the opponents, and its error is as large as the chance in it.
func TestEffects(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	worth := []float64{0.2, -0.1, 0}
	outside := 0
	for range 50 {
		var all []varied
		for i := range 400 {
			v := varied{against: []string{"a", "b"}[i%2], with: make([]bool, 3), points: 0.3 + 0.3*float64(i%2) + 0.3*r.NormFloat64()}
			for k := range v.with {
				if v.with[k] = r.IntN(2) == 0; v.with[k] {
					v.points += worth[k]
				}
			}
			all = append(all, v)
		}
		for k, e := range effects(all) {
			if d := math.Abs(e.value - worth[k]); d > 1.96*e.deviation {
				outside++
			}
			if e.deviation < 0.025 || e.deviation > 0.035 { // 2·0.3/√400
				t.Errorf("deviation %v", e.deviation)
			}
		}
	}
	if outside > 17 { // of 150, where 7.5 are to be expected
		t.Errorf("%d of 150 are off by more than their error", outside)
	}
	if got := effects([]varied{{with: []bool{true}}, {with: []bool{true}}, {with: []bool{true}}}); got != nil {
		t.Errorf("a change that is always there: found %v", got)
	}
}

// Two pairs after each other have each change once, and what a file has is read as it was played.
func TestVary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	c := varyCommand{Changes: []string{"nostorms", "plies9+begin2", "oldnetwork"}, Against: []string{"rush", "greedy"}, Nodes: 60, Pairs: 4, Results: file, Seed: 1}
	var out strings.Builder
	if err := c.Run(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), ", 16 ") || !strings.Contains(out.String(), "plies9+begin2  ") {
		t.Errorf("%s", out.String())
	}
	f, err := openPanel(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	read := c.read(f)
	if len(read) != 8 || len(f.pairs) != 8 {
		t.Fatalf("%d of %d pairs", len(read), len(f.pairs))
	}
	for i, v := range read {
		var names []string
		for k, with := range v.with {
			if with {
				names = append(names, c.Changes[k])
			}
		}
		if len(names) == 0 {
			names = []string{"strong"}
		}
		if got := strings.Join(names, "+"); got+"@60" != f.pairs[i].Players[0] {
			t.Errorf("%s was read as %s", f.pairs[i].Players[0], got)
		}
		if j := slices.IndexFunc(read, func(w varied) bool {
			for k := range w.with {
				if w.with[k] == v.with[k] {
					return false
				}
			}
			return w.against == v.against
		}); j < 0 {
			t.Errorf("%v has no complement", v)
		}
	}
	other := c
	other.Changes = []string{"nostorms"}
	want := 0 // those that were drawn with nothing else
	for _, p := range f.pairs {
		if p.Players[0] == "nostorms@60" || p.Players[0] == "strong@60" {
			want++
		}
	}
	if got := len(other.read(f)); got != want || got == len(read) {
		t.Errorf("with fewer changes %d pairs are read of %d, want %d", got, len(read), want)
	}
	for want, c := range map[string]varyCommand{
		`change "nemo": allowed are alwaysfull, `:          {Changes: []string{"nemo"}, Against: []string{"rush"}},
		`change "strong": allowed are`:                     {Changes: []string{"strong"}, Against: []string{"rush"}},
		`"plies9" and "nostorms+plies4" both change Plies`: {Changes: []string{"plies9", "nostorms+plies4"}, Against: []string{"rush"}},
		`"reserved" and "moves90" both change Likelihoods`: {Changes: []string{"prior33", "reserved", "moves90"}, Against: []string{"rush"}},
		`"oldbook" and "nobook" both change SetUps`:        {Changes: []string{"oldbook", "nobook"}, Against: []string{"rush"}},
		`"nostorms" and "storms6" both change Storms`:      {Changes: []string{"oldnetwork", "nostorms", "storms6"}, Against: []string{"rush"}},
		`change "storms8" changes nothing`:                 {Changes: []string{"storms8"}, Against: []string{"rush"}},
		`"x4" and "x16" both change the positions`:         {Changes: []string{"x4", "x16"}, Against: []string{"rush"}},
		`player "nobody" of luzhanqi`:                      {Changes: []string{"plies9"}, Against: []string{"nobody"}},
	} {
		if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
