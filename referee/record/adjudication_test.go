package record_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/adjudication"
	"luzhanqi/referee/record"
	"luzhanqi/referee/record/notation"
)

// adjudicated is the record of a game that ends by a rule.
func adjudicated(t *testing.T, name, rule string, players ...string) (text string, code referee.Code) {
	t.Helper()
	g, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	played := &referee.Game{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Opening: game.Opening{Random: 2}, Seed: 3, Number: 1, Attempt: 1}
	if err := played.SetRules(""); err != nil {
		t.Fatal(err)
	}
	if played.Adjudication, err = adjudication.ParseRule(g, rule); err != nil {
		t.Fatal(err)
	}
	for side, p := range players {
		level, err := levels.Find(g, p)
		if err != nil {
			t.Fatal(err)
		}
		played.Entrants[side] = referee.Entrant{Name: p, Level: &level}
	}
	var b bytes.Buffer
	r, err := played.Play(t.Context(), record.NewWriter(&b, played))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), r.Ending.Code
}

// TestAdjudicated: the values on record lead to the recorded ending, and others are found out. The notations hold them, too.
func TestAdjudicated(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]referee.Code{
		"easy@300,win=3,plies=4":            referee.AdjudicatedWin,
		"easy@300,draw=999,plies=4,after=3": referee.AdjudicatedDraw,
	} {
		text, code := adjudicated(t, "quagmire", rule, "easy", "random")
		if code != want {
			t.Errorf("%s: %s\n%s", rule, code, text)
			continue
		}
		whole, err := record.Read(strings.NewReader(text), games.Find)
		if err != nil || len(whole.Disagreements) > 0 {
			t.Errorf("%s: %v %v", rule, err, whole.Disagreements)
			continue
		}
		value := regexp.MustCompile(`,"value":-?[0-9.]+`)
		other := "adjudicated-draw"
		if want == referee.AdjudicatedDraw {
			other = "adjudicated-win"
		}
		for damage, damaged := range map[string]string{
			"no values":    value.ReplaceAllString(text, ""),
			"no rule":      regexp.MustCompile(`,"adjudication":\{[^}]*\}`).ReplaceAllString(text, ""),
			"other code":   strings.Replace(text, `"code":"`+string(want), `"code":"`+other, 1),
			"other winner": strings.NewReplacer(`"winner":1`, `"winner":2`, `"winner":2`, `"winner":1`, `"winner":null`, `"winner":1`).Replace(text),
			"resigned":     strings.Replace(text, `"code":"`+string(want), `"code":"resigned`, 1),
			"too late":     regexp.MustCompile(`"plies":4(,"after":3)?}`).ReplaceAllString(text, `"plies":2$1}`),
			"too early":    regexp.MustCompile(`"plies":4(,"after":3)?}`).ReplaceAllString(text, `"plies":9$1}`),
		} {
			if damaged == text {
				t.Errorf("%s, %s: nothing was damaged", rule, damage)
			}
			if r, err := record.Read(strings.NewReader(damaged), games.Find); err == nil && len(r.Disagreements) == 0 {
				t.Errorf("%s, %s: it is not noticed", rule, damage)
			}
		}
		g, err := notation.Of(whole, notation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var written, made bytes.Buffer
		w := notation.NewWriter(&written, notation.Text)
		w.Write(g)
		w.Flush()
		read, err := notation.NewReader(&written).Next()
		if err == nil {
			err = read.Record(&made, games.Find)
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(g, read); diff != "" {
			t.Error(diff)
		}
	}
}
