package schedule

import (
	"strings"
	"testing"
)

// Absurd specs are refused with what was found and what is allowed.
func TestAbsurdSpecs(t *testing.T) {
	for want, spec := range map[string]Spec{
		"1 players: allowed are 2 or more":              {Format: RoundRobin, Players: 1, Games: 2, Cycles: 1},
		"-3 players":                                    {Format: Knockout, Players: -3, Games: 2},
		"3 players: a match has 2":                      {Format: Match, Players: 3, Games: 2},
		"10001 players: allowed are at most 10000":      {Format: Knockout, Players: 10_001, Games: 2},
		"501 players: a Swiss has at most 500":          {Format: Swiss, Players: 501, Games: 2, Rounds: 3},
		"0 games for each encounter":                    {Format: Match, Players: 2},
		"3 games for each encounter: allowed are even":  {Format: Match, Players: 2, Games: 3},
		"would have more games than the 10000000":       {Format: Match, Players: 2, Games: 10_000_002},
		"round-robin of 10000 players would have more":  {Format: RoundRobin, Players: 10_000, Games: 2, Cycles: 1},
		"gauntlet of 10000 players would have more":     {Format: Gauntlet, Players: 10_000, Games: 1 << 62, Cycles: 1 << 62, Challengers: []int{1}},
		"knockout of 10000 players would have more":     {Format: Knockout, Players: 10_000, Games: 900, Replays: 100},
		"swiss of 500 players would have more":          {Format: Swiss, Players: 500, Games: 1000, Rounds: 100},
		"0 cycles: allowed are 1 or more":               {Format: RoundRobin, Players: 3, Games: 2},
		"2 cycles: a match has none":                    {Format: Match, Players: 2, Games: 2, Cycles: 2},
		"no challenger":                                 {Format: Gauntlet, Players: 3, Games: 2, Cycles: 1},
		"challenger 3: allowed are 0 to 2":              {Format: Gauntlet, Players: 3, Games: 2, Cycles: 1, Challengers: []int{3}},
		"challenger 1 is given twice":                   {Format: Gauntlet, Players: 3, Games: 2, Cycles: 1, Challengers: []int{1, 1}},
		"3 challengers of 3 players":                    {Format: Gauntlet, Players: 3, Games: 2, Cycles: 1, Challengers: []int{0, 1, 2}},
		"1 challengers: only a gauntlet has any":        {Format: RoundRobin, Players: 3, Games: 2, Cycles: 1, Challengers: []int{0}},
		"0 rounds: allowed are 1 to 1000":               {Format: Swiss, Players: 4, Games: 2},
		"4 rounds of 4 players: they would meet again":  {Format: Swiss, Players: 4, Games: 2, Rounds: 4},
		"6 rounds of 5 players: they would meet again":  {Format: Swiss, Players: 5, Games: 2, Rounds: 6},
		"1001 rounds: allowed are 1 to 1000":            {Format: Swiss, Players: 4, Games: 2, Rounds: 1001, Rematches: true},
		"3 rounds, rematches false: only a Swiss":       {Format: RoundRobin, Players: 3, Games: 2, Cycles: 1, Rounds: 3},
		"5 replays: only a knockout has any":            {Format: Swiss, Players: 4, Games: 2, Rounds: 3, Replays: 5},
		"101 replays: allowed are 0 to 100":             {Format: Knockout, Players: 4, Games: 2, Replays: 101},
		"drawn seeds: a round-robin has no seeds":       {Format: RoundRobin, Players: 3, Games: 2, Cycles: 1, Drawn: true},
		"format(9): allowed are match, round-robin, ga": {Format: 9, Players: 3, Games: 2},
	} {
		if _, err := New(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", spec, err, want)
		}
	}
}

func TestFormatNames(t *testing.T) {
	for _, f := range allFormats {
		if got, err := ParseFormat(f.String()); got != f || err != nil {
			t.Errorf("%v: read as %v, %v", f, got, err)
		}
	}
	if _, err := ParseFormat("Swiss"); err == nil || !strings.Contains(err.Error(), "allowed are match, round-robin, gauntlet, swiss, knockout") {
		t.Errorf("error %v", err)
	}
}
