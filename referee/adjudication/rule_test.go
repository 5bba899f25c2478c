package adjudication

import (
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

func TestRules(t *testing.T) {
	g, err := games.Find("luzhanqi")
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseRule(g, Example)
	if err != nil || r.String() != Example {
		t.Errorf("%v, %v", r, err)
	}
	for text, wrong := range map[string]string{
		"":                               "a level at fixed nodes",
		"strong,win=1":                   "a level at fixed nodes",
		"strong@0,win=1":                 "0 nodes",
		"strong@10":                      "neither win nor draw",
		"strong@10,win=0.1,draw=0.2":     "not below",
		"strong@10,win=NaN":              "values win NaN",
		"strong@10,win=1,plies=1":        "1 plies in a row: allowed are 2 to",
		"strong@10,win=1,win=2":          "twice",
		"strong@10,win=x":                "a number was expected",
		"strong@10,loss=1":               "allowed are win=, draw=",
		"random@10,win=1":                "gives positions no value; allowed are easy, medium, hard, nodes1500, strong",
		"grandmaster@10,win=1":           "grandmaster",
		"strong@10,draw=0.1,after=-1":    "after -1",
		"strong@10,win=1001":             "1001",
		"strong@99999999999999999,win=1": "nodes",
	} {
		if _, err := ParseRule(g, text); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", text, err, wrong)
		}
	}
}

// TestStreaks: as many plies as the rule says must agree in a row, and both sides be among those who were asked.
func TestStreaks(t *testing.T) {
	rule := &Rule{Win: 0.9, Draw: 0.1, Plies: 3, After: 4}
	const first, second = game.First, game.Second
	type asked struct {
		side  game.Side
		value float64
	}
	for name, c := range map[string]struct {
		asked []asked
		want  Verdict
		at    int // how many it took
	}{
		"won by the first":         {[]asked{{first, 0.9}, {second, -1}, {first, Proven}}, Verdict{Over: true, Winner: first}, 3},
		"won by the second":        {[]asked{{first, -0.95}, {second, 0.95}, {first, -0.95}}, Verdict{Over: true, Winner: second}, 3},
		"both think that they win": {[]asked{{first, 0.95}, {second, 0.95}, {first, 0.95}, {second, 0.95}}, Verdict{}, 0},
		"only one side was asked":  {[]asked{{first, 1}, {first, 1}, {first, 1}, {first, 1}}, Verdict{}, 0},
		"one doubt":                {[]asked{{first, 1}, {second, -1}, {first, 0.89}, {second, -1}, {first, 1}, {second, -1}}, Verdict{Over: true, Winner: first}, 6},
		"drawn, not too early":     {[]asked{{first, 0}, {second, 0}, {first, 0}, {second, 0}, {first, 0.1}, {second, -0.1}, {first, 0}}, Verdict{Over: true, Draw: true}, 7},
	} {
		s := Streak{Rule: rule}
		found, at := Verdict{}, 0
		for i, a := range c.asked {
			if v := s.Add(a.side, i, a.value); v.Over && at == 0 {
				found, at = v, i+1
			}
		}
		if found != c.want || at != c.at {
			t.Errorf("%s: %+v after %d, want %+v after %d", name, found, at, c.want, c.at)
		}
	}
}
