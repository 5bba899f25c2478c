package record_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"luzhanqi/referee"
	"luzhanqi/text"
)

// TestTimes: no set-up and no move of a program can have taken longer than its limit allowed, less what others took, nor others more
// than all of it.
func TestTimes(t *testing.T) {
	t.Parallel()
	all := schema1(t)
	r := all[slices.IndexFunc(all, func(r schema1Record) bool { return r.name == "luzhanqi-4500-drawn-cap" })]
	replay, err := r.read()
	if err != nil || len(replay.Disagreements) > 0 {
		t.Fatal(err, replay.Disagreements)
	}
	limits := replay.Header.Limits
	late := text.Milliseconds(referee.ReadLate) + limits.Grace
	most := func(limit float64) float64 { return max(limit*(referee.MaxGiven-1), 1000) } // a limit is given nine times more, or a second
	tried := map[string]int{}
	for number, line := range r.lines {
		var members map[string]any
		if err := json.Unmarshal(line, &members); err != nil {
			t.Fatal(err)
		}
		event := members["event"].(string)
		limit, judged := map[string]float64{"setup": limits.SetUp, "move": limits.Move}[event]
		if !judged {
			continue
		}
		tried[event]++
		for _, c := range []struct {
			took, starved float64
			want          string // in the disagreement; empty: there is none
		}{
			{limit + late, 0, ""},
			{limit + late + 1, 0, "0 ms of others taken off"},
			{limit + late + 1, 1, ""},
			{3 * (limit + late), limit, "ms of others taken off"},
			{limit + most(limit) + late, limit + most(limit), ""},
			{limit + most(limit) + late + 1, limit + most(limit), "no turn is given more"},
			{-1, 0, "of the -1 ms"},
			{5, 6, "of the 5 ms that the "},
			{5, -1, "others took -1 ms"},
		} {
			members["took_ms"], members["starved_ms"] = c.took, c.starved
			changed := r
			changed.lines = slices.Clone(r.lines)
			text, err := json.Marshal(members)
			if err != nil {
				t.Fatal(err)
			}
			changed.lines[number] = append(text, '\n')
			replay, err := changed.read()
			if err != nil {
				t.Fatal(err)
			}
			said := strings.Join(replay.Disagreements, "; ")
			if (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
				t.Errorf("%s that took %v ms, %v of them others: %q, want %q", event, c.took, c.starved, said, c.want)
			}
		}
	}
	if tried["setup"] != 2 || tried["move"] != 3 {
		t.Errorf("tried %v", tried)
	}
}
