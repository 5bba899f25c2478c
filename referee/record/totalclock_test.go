package record_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// TestTotalClock: what is left of the time for all moves is on record for whom the clock runs, and follows from what the moves took.
func TestTotalClock(t *testing.T) {
	t.Parallel()
	play := func(total, increment time.Duration) (string, *referee.Ending) {
		g, err := games.Find("gastank")
		if err != nil {
			t.Fatal(err)
		}
		played := &referee.Game{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Seed: 3, Number: 1, Attempt: 1}
		if err := played.SetRules(""); err != nil {
			t.Fatal(err)
		}
		played.Limits.Total, played.Limits.Increment, played.Limits.MaxPlies = total, increment, 8
		played.Limits.Grace = 10 * time.Second // the machine may be busy
		for side, name := range []string{"strong", "easy"} {
			level, err := levels.Find(g, name)
			if err != nil {
				t.Fatal(err)
			}
			played.Entrants[side] = referee.Entrant{Name: name, Level: &level}
			if level.Timed != (side == 0) {
				t.Fatalf("%s depends on time: %v", name, level.Timed)
			}
		}
		var b bytes.Buffer
		r, err := played.Play(t.Context(), record.NewWriter(&b, played))
		if err != nil {
			t.Fatal(err)
		}
		return b.String(), r.Ending
	}
	text, end := play(time.Second, 5*time.Millisecond)
	if end.Foul() {
		t.Fatal(end)
	}
	whole, err := record.Read(strings.NewReader(text), games.Find)
	if err != nil || len(whole.Disagreements) > 0 {
		t.Fatal(err, whole.Disagreements)
	}
	for _, m := range whole.Moves {
		if (m.Left != nil) != (m.Side == 1) {
			t.Errorf("%+v", m)
		}
	}
	left := regexp.MustCompile(`,"left_ms":[0-9.]+`)
	for damage, damaged := range map[string]string{
		"more":     strings.Replace(text, `"left_ms":`, `"left_ms":1`, 1),
		"missing":  text[:len(text)/2] + left.ReplaceAllString(text[len(text)/2:], ""),
		"no clock": strings.Replace(text, `,"total_ms":1000`, "", 1),
		"of easy":  strings.Replace(text, `"side":2,"ply":2,`, `"side":2,"ply":2,"left_ms":1000,`, 1),
		"too long": strings.Replace(text, `"total_ms":1000`, `"total_ms":1`, 1),
	} {
		if damaged == text {
			t.Errorf("%s: nothing was damaged", damage)
		}
		if r, err := record.Read(strings.NewReader(damaged), games.Find); err == nil && len(r.Disagreements) == 0 {
			t.Errorf("%s: it is not noticed\n%s", damage, damaged)
		}
	}
}
