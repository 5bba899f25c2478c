package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
)

// printed runs a command and returns what it writes to standard output.
func printed(t *testing.T, command interface{ Run(*stdio) error }) (string, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	runErr := command.Run(&stdio{in: strings.NewReader(""), out: &output{File: out}, err: os.Stderr, log: zerolog.Nop()})
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text), runErr
}

// quietly runs a rating that reads no tournament.
type quietly struct{ *rateCommand }

func (q quietly) Run(c *stdio) error { return q.rateCommand.Run(context.Background(), c) }

func newRate(args ...string) *rateCommand {
	return &rateCommand{Counts: args, Alpha: 0.05, Beta: 0.05, Model: "logistic"}
}

func (r *rateCommand) against(elo0, elo1 float64) *rateCommand {
	r.Elo0, r.Elo1 = &elo0, &elo1
	return r
}

// TestRate shows what is printed. The numbers of the first are those of Cute Chess for the same
// counts: https://github.com/cutechess/cutechess/issues/543
func TestRate(t *testing.T) {
	for _, test := range []struct {
		name    string
		command *rateCommand
		want    string
	}{
		{"games", newRate("880", "1863", "759").against(0, 5), `
games           3502: 880 wins, 1863 draws, 759 losses
score           51.73 %  (95 %: 50.60 to 52.86)
Elo             +12.01 ± 7.87  (95 %: +4.14 to +19.89)
normalized Elo  +17.57 ± 11.52  (95 %: +6.05 to +29.09)
LOS             99.86 %
test            SPRT [0, 5] logistic Elo, alpha 0.05, beta 0.05
LLR             2.95  (H0 at -2.94, H1 at 2.94)
verdict         H1 accepted
games it takes  about 11949 at 0 Elo, 19545 at 2.5 Elo, 11949 at 5 Elo
`},
		{"pairs", &rateCommand{Pairs: "50, 287, 610, 387, 73"}, `
pairs           1407: 50 with 0 points, 287 with ½, 610 with 1, 387 with 1½, 73 with 2
score           52.59 %  (95 %: 51.41 to 53.78)
Elo             +18.04 ± 8.23  (95 %: +9.82 to +26.29)
normalized Elo  +28.19 ± 12.93  (95 %: +15.26 to +41.11)
LOS             100.00 %
`},
		{"a single win", newRate("1", "0", "0"), `
games           1: 1 win, 0 draws, 0 losses
score           100.00 %  (95 %: 2.50 to 100.00)
Elo             +∞  (95 %: -636.43 to +∞)
normalized Elo  +∞  (95 %: -∞ to +∞)
LOS             75.00 %
`},
	} {
		got, err := printed(t, quietly{test.command})
		if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, diff)
		}
	}
}

// TestRateJSON: what is infinite is null, since JSON has no infinity.
func TestRateJSON(t *testing.T) {
	decided := newRate().against(0, 5)
	decided.Pairs, decided.Model, decided.JSON = "50,287,610,387,73", "normalized", true
	wins := newRate("10", "0", "0")
	wins.JSON = true
	for _, test := range []struct {
		command *rateCommand
		want    map[string]any // among others
	}{
		{decided, map[string]any{"decision": "H1 accepted", "pentanomial": []any{50., 287., 610., 387., 73.}}},
		{wins, map[string]any{"elo": nil, "elo_high": nil, "elo_error": nil, "trinomial": []any{0., 0., 10.}, "score": 1.}},
	} {
		text, err := printed(t, quietly{test.command})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		for name, want := range test.want {
			if found, ok := got[name]; !ok || !cmp.Equal(found, want) {
				t.Errorf("%s is %v, want %v", name, found, want)
			}
		}
		if _, ok := got["llr"]; ok != (test.command.Elo0 != nil) {
			t.Errorf("llr is there: %v", ok)
		}
	}
}

func TestRateRefuses(t *testing.T) {
	one := 1.0
	badModel := newRate("1", "2", "3").against(0, 5)
	badModel.Model = "bayesian"
	both := newRate("1")
	both.Pairs = "1,2,3,4,5"
	for _, test := range []struct {
		command *rateCommand
		want    string
	}{
		{newRate(), "found 0 counts"},
		{newRate("1", "2"), "found 2 counts"},
		{newRate("1", "2", "x"), `count "x"`},
		{newRate("1", "2", "-3"), `count "-3"`},
		{both, "found both --pairs and 1 count"},
		{&rateCommand{Pairs: "1,2,3"}, "--pairs: "},
		{&rateCommand{Counts: []string{"1", "2", "3"}, Elo0: &one}, "need each other"},
		{newRate("1", "2", "3").against(5, 0), "elo1 must be greater"},
		{badModel, "--model: "},
	} {
		text, err := printed(t, quietly{test.command})
		var f failure
		if err == nil || !errors.As(err, &f) || f.code != exitUsage || !strings.Contains(err.Error(), test.want) || text != "" {
			t.Errorf("%+v: printed %q, error %v; want %q", test.command, text, err, test.want)
		}
	}
}
