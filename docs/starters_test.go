package docs

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/process/processtest"
)

// TestStarters plays the starter program of every game, from both seats, against a built-in player:
// every game must come to an end by the rules, and the strongest player must not lose any. Their own package
// plays them in every run; this is for the night.
func TestStarters(t *testing.T) {
	if os.Getenv("LUZHANQI_NIGHTLY") == "" {
		t.Skip("LUZHANQI_NIGHTLY is not set")
	}
	processtest.Need(t, "python3")
	luzhanqi := build(t, t.TempDir())
	files, err := filepath.Glob("../examples/starters/python/*/bot.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples: ", err)
	}
	for _, file := range files {
		name, starter := filepath.Base(filepath.Dir(file)), strings.TrimPrefix(filepath.ToSlash(file), "../")
		for _, level := range []string{"random", "strong"} {
			t.Run(name+"/"+level, func(t *testing.T) {
				match := exec.Command(luzhanqi, "match", "--game", name, "--games", "2", "--seed", "3", "--time", "100ms", "--grace", "3s",
					"--json", "python3 "+starter, "builtin:"+level)
				match.Dir = root()
				var out, trouble bytes.Buffer
				match.Stdout, match.Stderr = &out, &trouble
				if err := match.Run(); err != nil {
					t.Fatalf("%v\n%s%s", err, &out, &trouble)
				}
				judge(t, level == "strong", out.Bytes())
			})
		}
	}
}

// judge reads the events of a match of a program and a player of ours.
func judge(t *testing.T, strong bool, events []byte) {
	t.Helper()
	ended := 0
	for line := range bytes.Lines(events) {
		var event struct {
			Event  string
			Number int
			Ending struct {
				Code, Reason string
				Plies        int
			}
			Players json.RawMessage
		}
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch event.Event {
		case "game":
			ended++
			t.Logf("game %d: %s, %d plies", event.Number, event.Ending.Reason, event.Ending.Plies)
			switch event.Ending.Code {
			case "won", "drawn":
			default:
				t.Errorf("game %d did not end by the rules: %s", event.Number, line)
			}
		case "summary":
			var players []struct{ Wins int }
			if err := json.Unmarshal(event.Players, &players); err != nil {
				t.Fatal(err)
			}
			if strong && players[0].Wins > 0 {
				t.Errorf("the starter beat the strongest player: %s", line)
			}
		}
	}
	if ended != 2 {
		t.Errorf("%d games, want 2", ended)
	}
}
