package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	searchers "luzhanqi/player/luzhanqi"
)

// searchFile writes the file of a search as tune does.
func searchFile(t *testing.T, s *searching) string {
	t.Helper()
	text, err := s.text(s.Made)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.search")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A search that nothing was changed of has the style of strong but for its set-ups, read from its file too, and it can think about as many positions.
func TestLikeStrong(t *testing.T) {
	s := likeStrong(1, 30_000)
	path := searchFile(t, &s)
	again, err := readSearching(path)
	if err != nil || !reflect.DeepEqual(again, &s) {
		t.Fatalf("%v\n%+v\nread again\n%+v", err, s, again)
	}
	got, want := again.style(), searchers.Strong
	for range 8 {
		drawn := got.SetUps.Draw(rand.New(rand.NewPCG(2, 2)))
		found := false
		for _, one := range s.SetUps {
			found = found || one.SetUp == drawn || one.Mirrored().SetUp == drawn
		}
		if !found {
			t.Errorf("%s is none of its set-ups", drawn)
		}
	}
	got.SetUps = want.SetUps
	want.Full = 0 // its playouts are as long as its file says
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("%s\nmust be\n%s", g, w)
	}
	if few := likeStrong(1, 6_000); few.Plies != 10 || few.Begin != 2 {
		t.Errorf("at 6,000 positions playouts have %d plies, the first %d: must be as strong's, 10 and 2", few.Plies, few.Begin)
	}
	var out strings.Builder
	m := &matchCommand{Players: "luzhanqi:" + path + "@20," + path, Games: 2, Nodes: 10, Threads: 1, Time: time.Second, Seed: 1}
	if err := m.Run(&out); err != nil || !strings.Contains(out.String(), "(2 games: ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// What an hour of tuning has made can still be read.
func TestTunedSearch(t *testing.T) {
	s, err := readSearching(filepath.Join("testdata", "tuned.search"))
	if err != nil || s.Network != "f665184" || s.Plies != 9 || len(s.SetUps) != 4 {
		t.Fatalf("%v: %+v", err, s)
	}
	if style := s.style(); style.Boldness != 0 || style.Passive || style.Plies != 9 {
		t.Errorf("boldness %v, passive %v, %d plies: must be none, false and 9, as its file says", style.Boldness, style.Passive, style.Plies)
	}
}

// Whatever is changed, a search stays one that its file can have; each number changes at times, and who is changed stays as it was.
func TestSearchingChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	start := likeStrong(3, 30_000)
	before := fmt.Sprintf("%+v", start)
	moved := map[string]bool{}
	s := &start
	for range 2000 {
		next := s.changed(r).(*searching)
		if err := next.check(); err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(next, s) {
			t.Fatal("nothing was changed")
		}
		old, now := reflect.ValueOf(*s), reflect.ValueOf(*next)
		for i := range old.NumField() {
			if !reflect.DeepEqual(old.Field(i).Interface(), now.Field(i).Interface()) {
				moved[old.Type().Field(i).Name] = true
			}
		}
		s = next
	}
	for field := range reflect.TypeFor[searching]().Fields() {
		if fixed := field.Name == "Name" || field.Name == "Made"; moved[field.Name] == fixed {
			t.Errorf("%s: changed %v", field.Name, moved[field.Name])
		}
	}
	if now := fmt.Sprintf("%+v", start); now != before {
		t.Errorf("%s\nwas\n%s", now, before)
	}
}

// A search is tuned as a style is: the same command makes the same file.
func TestTuneSearch(t *testing.T) {
	usual := stages
	stages = []int{1, 2}
	defer func() { stages = usual }()
	var files [2]string
	for i := range files {
		file := filepath.Join(t.TempDir(), "tuned.search")
		var out strings.Builder
		c := &tuneCommand{Style: "strong", Against: "strong", Nodes: 10, Tries: 2, Games: 1, Out: file, Seed: 1}
		if err := c.Run(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "2 changes tried in ") || !strings.Contains(out.String(), "like-strong takes ") {
			t.Errorf("%s", out.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		best, err := readSearching(file)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = string(text)
		want := likeStrong(1, 10)
		made := want.Made
		want.Made = best.Made
		if !reflect.DeepEqual(best, &want) { // how two games end depends on what strong plays now
			made = "luzhanqi-measure tune strong --against strong --nodes 10 --tries 2 --seed 1; before that: " + made
		}
		if best.Made != made {
			t.Errorf("made by %q, want %q\n%s\n%s", best.Made, made, text, out.String())
		}
	}
	if files[0] != files[1] {
		t.Errorf("%s\nand the second time\n%s", files[0], files[1])
	}
	c := &tuneCommand{Style: filepath.Join(t.TempDir(), "none.search"), Against: "greedy"}
	if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}

func TestSearchingRefuses(t *testing.T) {
	good := likeStrong(1, 30_000)
	for want, change := range map[string]func(*searching){
		"must have a name":         func(s *searching) { s.Name = "" },
		"found 0 set-ups":          func(s *searching) { s.SetUps = nil },
		`belief "none": allowed `:  func(s *searching) { s.Belief = "none" },
		`network "": allowed are `: func(s *searching) { s.Network = "" },
		"exponents -1":             func(s *searching) { s.SetUp = -1 },
		", 4.5 and ":               func(s *searching) { s.Moves = 4.5 },
		" and 5: allowed":          func(s *searching) { s.Strangers = 5 },
		"doubt 1: allowed are 0":   func(s *searching) { s.Doubt = 1 },
		"playouts of 0 plies":      func(s *searching) { s.Plies = 0 },
		"first 21":                 func(s *searching) { s.Begin = 21 },
		"storms 17":                func(s *searching) { s.Storms = 17 },
		"boldness 0.51":            func(s *searching) { s.Boldness = 0.51 },
		"boldness -0.01":           func(s *searching) { s.Boldness = -0.01 },
	} {
		bad := good
		change(&bad)
		if _, err := find(rules.Game{}, searchFile(t, &bad), player.Options{}); err == nil || !strings.Contains(err.Error(), "must be the file of a search: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	text, err := good.text("")
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"unexpected end": "{", "unknown field": strings.Replace(string(text), "{", `{"lane": "",`, 1), "after top-level value": string(text) + "{}",
		`found no "strangers"`: strings.Replace(string(text), `"strangers"`, `"others"`, 1),
	} {
		path := filepath.Join(t.TempDir(), "b.search")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readSearching(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// What was tuned and kept can be played.
func TestTunedFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %d files", err, len(files))
	}
	for _, file := range files {
		if p, err := find(rules.Game{}, file, player.Options{Nodes: 10}); p == nil || err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
