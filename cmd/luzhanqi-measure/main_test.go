package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/process/processtest"
)

// A match of every game runs, between levels and variants, and says how it ended.
func TestMatch(t *testing.T) {
	for _, test := range []struct{ players, want string }{
		{"luzhanqi:rush,responder", "rush v responder: "},
		{"jungle:greedy,forward", "greedy v forward: "},
		{"gastank:easy@50,nohaste@50", "easy@50 v nohaste@50: "},
		{"quagmire:crowded2,random", "crowded2 v random: "},
		{"chess1d:greedy,random", "greedy v random: "},
	} {
		t.Run(test.players, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			m := &matchCommand{Players: test.players, Games: 2, Seed: 1, openings: openings{Opening: 2}, Time: time.Millisecond}
			if err := m.Run(&out); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(out.String(), test.want) || !strings.Contains(out.String(), "(2 games: ") {
				t.Errorf("%s", out.String())
			}
		})
	}
}

// Every variant can be made, and what is none is refused with the names of the levels.
func TestVariants(t *testing.T) {
	for name, variants := range map[string][]string{
		"jungle":   {"nofutile", "futile2x", "patient", "textbook", "unsolved", "forward"},
		"gastank":  {"textbook", "nohaste", "nolate"},
		"quagmire": {"blind2", "crowded2", "nolone"},
	} {
		g, err := games.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variants {
			if _, err := find(g, v, player.Options{Nodes: 10}); err != nil {
				t.Error(err)
			}
		}
	}
	g, err := games.Find("luzhanqi")
	if err != nil {
		t.Fatal(err)
	}
	for v := range changes {
		if _, err := find(g, v, player.Options{Nodes: 10}); err != nil {
			t.Error(err)
		}
	}
	for text, want := range map[string]string{
		"nobody": "neither a level (random, greedy-slip", "strong@0": "no number of positions", "strong@x": "no number of positions",
	} {
		if _, err := find(g, text, player.Options{Nodes: 10}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The twin is shown the truth and plays by it.
func TestOracle(t *testing.T) {
	var out strings.Builder
	if err := (&matchCommand{Players: "luzhanqi:oracle@100,greedy", Games: 1, Seed: 1}).Run(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "oracle@100 v greedy: 100.0%") {
		t.Errorf("%s", out.String())
	}
}

// Tuning ends when its time is over, and says what came out, against who was named.
func TestExploit(t *testing.T) {
	var out strings.Builder
	for level, want := range map[string]string{"random": "scores 100.0% ± 0.0 of 6 new games", "strong-f665184": "scores 33.3% ± 37.7 of 6 new games"} {
		out.Reset()
		if err := (&exploitCommand{Against: level, Nodes: 100, Games: 6, Seed: 1}).Run(&out); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasPrefix(got, "0 games while climbing, 0 responses tried; the best, {Win:0.6 ") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", level, got)
		}
	}
	if err := (&exploitCommand{Against: "nobody", Games: 1}).Run(&out); err == nil || !strings.Contains(err.Error(), `player "nobody"`) {
		t.Errorf("nobody: %v", err)
	}
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{"jungle": "must be GAME:PLAYER,PLAYER", "go:a,b": `game "go": allowed are`, "jungle:a,b": `player "a" of jungle`} {
		var out strings.Builder
		if err := (&matchCommand{Players: text, Games: 1}).Run(&out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Speed builds its floor and its players, and compares what it is given.
func TestSpeed(t *testing.T) {
	if os.Getenv("LUZHANQI_NIGHTLY") == "" {
		t.Skip("it builds luzhanqi; set LUZHANQI_NIGHTLY=1")
	}
	processtest.Need(t, "cc")
	var out strings.Builder
	if err := (&speedCommand{Rounds: 1, Plies: 100, Long: 2, Short: 2, Limit: 10 * time.Second}).Run(&out); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?s)floor .* – .*bin .* floor: [0-9.]+× own.*bin, records .*games of 10 plies.*luzhanqi games.*bin +[1-9][0-9]*\.`).MatchString(out.String()) {
		t.Errorf("%s", out.String())
	}
}
