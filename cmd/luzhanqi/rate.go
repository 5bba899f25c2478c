package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/console"
	"luzhanqi/tournament/rating"
)

type rateCommand struct {
	Counts []string `arg:"" optional:"" name:"count" help:"Wins, draws and losses of the first player."`

	Pairs   string   `help:"Instead: pairs in which the first player got 0, ½, 1, 1½ and 2 points. Better evidence, as the games of a pair are not independent." placeholder:"N0,N½,N1,N1½,N2"`
	From    string   `help:"Instead: the games of two players of a tournament, by its plan." placeholder:"PLAN.toml" type:"path"`
	Between string   `help:"Which two, by their names; --from needs it if there are more." placeholder:"FIRST,SECOND"`
	Records []string `help:"Instead: the games of two players in records: files, folders of files, stores of tournaments." placeholder:"PLACE" sep:"none"`
	Store   string   `help:"Directory of the tournament's results, if not the default." placeholder:"DIR" type:"path"`

	Elo0  *float64 `name:"elo0" help:"Test the hypothesis that the difference is so much, or less (SPRT); needs --elo1. Write --elo0=-5 if negative." placeholder:"ELO"`
	Elo1  *float64 `name:"elo1" help:"Against the hypothesis that it is so much, or more." placeholder:"ELO"`
	Alpha float64  `help:"Probability to accept elo1 if elo0 is true." default:"0.05"`
	Beta  float64  `help:"Probability to accept elo0 if elo1 is true." default:"0.05"`
	Model string   `help:"Scale of elo0 and elo1: ${enum}." enum:"logistic,normalized" default:"logistic"`
	JSON  bool     `name:"json" help:"Write one JSON object. What is infinite is null."`
}

func (r *rateCommand) Run(ctx context.Context, c *stdio) error {
	test, err := r.test()
	if err != nil {
		return usage(err)
	}
	v, distinct, between, err := r.verdict(ctx, test)
	if err != nil {
		return usage(err)
	}
	if r.JSON {
		fields := verdictFields(v)
		if distinct.Distinct > 0 {
			fields["distinct"] = distinct.Distinct
		}
		if between[0] != "" {
			fields["players"] = between
		}
		json.NewEncoder(c.out).Encode(fields)
		return nil
	}
	if between[0] != "" {
		fmt.Fprintf(c.out, "%s against %s\n", between[0], between[1])
	}
	fmt.Fprint(c.out, verdictText(v))
	if distinct.Repeats() {
		fmt.Fprintln(c.out, console.Repeats(distinct))
	}
	return nil
}

// verdict is that of the games that were played, or of counts alone, how many of the games went differently, and between whom they were.
func (r *rateCommand) verdict(ctx context.Context, test *rating.SPRT) (v rating.Verdict, d rating.Distinct, between [2]string, err error) {
	var games *rating.Sequential
	switch {
	case len(r.Records) > 0 && (r.From != "" || r.Pairs != "" || len(r.Counts) > 0 || r.Store != ""):
		return v, d, between, errors.New("found --records and another source of games: give one")
	case len(r.Records) > 0:
		if first, second, ok := strings.Cut(r.Between, ","); ok {
			between = [2]string{strings.TrimSpace(first), strings.TrimSpace(second)}
		}
		games, between, err = tournament.Recorded(ctx, r.Records, between, test)
	case r.From != "" && r.Pairs == "" && len(r.Counts) == 0:
		games, between, err = r.played(ctx, test)
	default:
		counts, err := r.counts()
		if err != nil {
			return v, d, between, err
		}
		return rating.NewVerdict(counts, test), d, between, nil
	}
	if err != nil {
		return v, d, between, err
	}
	return games.Verdict(), games.Courses.Distinct(), between, nil
}

func (r *rateCommand) counts() (rating.Counts, error) {
	const want = "give wins, draws and losses, such as 10 3 7, or --pairs=N0,N½,N1,N1½,N2, or --from=PLAN.toml, or --records=PLACE"
	switch {
	case r.From != "" && (r.Pairs != "" || len(r.Counts) > 0):
		return nil, fmt.Errorf("found --from and counts: %s", want)
	case r.Between != "" || r.Store != "":
		return nil, errors.New("--between needs --from PLAN.toml or --records PLACE, --store needs --from")
	case r.Pairs != "" && len(r.Counts) > 0:
		return nil, fmt.Errorf("found both --pairs and %s: %s", text.Count(len(r.Counts), "count"), want)
	case r.Pairs != "":
		pairs, err := rating.ParsePairs(r.Pairs)
		if err != nil {
			return nil, fmt.Errorf("--pairs: %w", err)
		}
		return pairs, nil
	case len(r.Counts) == 1 && isThere(r.Counts[0]):
		return nil, fmt.Errorf("%s is no count: for the games of records, --records %[1]s; for those of a tournament, --from PLAN.toml", r.Counts[0])
	case len(r.Counts) != 3:
		return nil, fmt.Errorf("found %s: %s", text.Count(len(r.Counts), "count"), want)
	}
	var n [3]int
	for i, text := range r.Counts {
		var err error
		if n[i], err = rating.ParseCount(text); err != nil {
			return nil, err
		}
	}
	return rating.Games{Wins: n[0], Draws: n[1], Losses: n[2]}, nil
}

// played counts the games of two players of a tournament.
func (r *rateCommand) played(ctx context.Context, test *rating.SPRT) (*rating.Sequential, [2]string, error) {
	t, s, err := (&planFlags{File: r.From, Store: r.Store}).open(ctx)
	if err != nil {
		return nil, [2]string{}, err
	}
	defer s.Close()
	first, second, ok := strings.Cut(r.Between, ",")
	if names := t.Names(); r.Between == "" && len(names) == 2 {
		first, second, ok = names[0], names[1], true
	}
	if !ok {
		return nil, [2]string{}, fmt.Errorf("--between %q: give two of %s, as FIRST,SECOND", r.Between, strings.Join(t.Names(), ", "))
	}
	between := [2]string{strings.TrimSpace(first), strings.TrimSpace(second)}
	games, err := t.HeadToHead(ctx, s, between[0], between[1], test)
	return games, between, err
}

// test is the test that was asked for; nil: none.
func (r *rateCommand) test() (*rating.SPRT, error) {
	if r.Elo0 == nil && r.Elo1 == nil {
		return nil, nil
	}
	if r.Elo0 == nil || r.Elo1 == nil {
		return nil, errors.New("--elo0 and --elo1 need each other")
	}
	model, err := rating.ParseModel(r.Model)
	if err != nil {
		return nil, fmt.Errorf("--model: %w", err)
	}
	test, err := rating.NewSPRT(*r.Elo0, *r.Elo1, r.Alpha, r.Beta, model)
	return &test, err
}

// verdictText is a verdict in full.
func verdictText(v rating.Verdict) string {
	var s strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&s, "%-15s %s\n", name, fmt.Sprintf(format, args...))
	}
	switch c := v.Counts.(type) {
	case rating.Games:
		line("games", "%d: %s, %s, %s", c.Total(), text.Count(c.Wins, "win"), text.Count(c.Draws, "draw"), text.Count(c.Losses, "loss"))
	case rating.Pairs:
		line("pairs", "%d: %d with 0 points, %d with ½, %d with 1, %d with 1½, %d with 2", c.Total(), c[0], c[1], c[2], c[3], c[4])
	}
	percent := v.Score
	percent.Value, percent.Low, percent.High = 100*percent.Value, 100*percent.Low, 100*percent.High
	line("score", "%.2f %%  (95 %%: %.2f to %.2f)", percent.Value, percent.Low, percent.High)
	for _, e := range []struct {
		name string
		elo  rating.Interval
	}{{"Elo", v.Elo}, {"normalized Elo", v.Normalized}} {
		value := rating.Signed(e.elo.Value, 2)
		if !math.IsInf(e.elo.Error(), 0) {
			value += " ± " + e.elo.Margin(2)
		}
		line(e.name, "%s  (95 %%: %s to %s)", value, rating.Signed(e.elo.Low, 2), rating.Signed(e.elo.High, 2))
	}
	line("LOS", "%.2f %%", 100*v.Superiority)
	if v.Test == nil {
		return s.String()
	}
	lower, upper := v.Test.Bounds()
	line("test", "%v", v.Test)
	line("LLR", "%.2f  (H0 at %.2f, H1 at %.2f)", v.LLR, lower, upper)
	if v.Repeated > 0 {
		line("not counted", "%s that repeat others", text.Count(v.Repeated, "pair"))
	}
	line("verdict", "%v", v.Decision)
	elo0, elo1 := v.Test.Hypotheses()
	var expected []string
	for _, elo := range []float64{elo0, (elo0 + elo1) / 2, elo1} {
		games, _ := v.Test.Expect(elo, v.Variance)
		expected = append(expected, fmt.Sprintf("%.0f at %v Elo", math.Ceil(games), elo))
	}
	line("games it takes", "about %s", strings.Join(expected, ", "))
	return s.String()
}

// verdictFields are the verdict's members of a JSON object.
func verdictFields(v rating.Verdict) map[string]any {
	f := map[string]any{
		"score": v.Score.Value, "elo": finite(v.Elo.Value), "elo_low": finite(v.Elo.Low), "elo_high": finite(v.Elo.High),
		"elo_error": finite(v.Elo.Error()), "nelo": finite(v.Normalized.Value), "nelo_error": finite(v.Normalized.Error()),
		"los": v.Superiority,
	}
	switch c := v.Counts.(type) {
	case rating.Games:
		f["trinomial"] = [3]int{c.Losses, c.Draws, c.Wins}
	case rating.Pairs:
		f["pentanomial"] = c
	}
	if v.Test != nil {
		f["llr"], f["decision"] = v.LLR, v.Decision.String()
		f["repeated_pairs"] = v.Repeated
		f["llr_lower"], f["llr_upper"] = v.Test.Bounds()
	}
	return f
}

// finite is a number for JSON, which has no infinity.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// isThere says whether there is a file or folder of this name.
func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
