package rating

import (
	"math"
	"strconv"
	"testing"
)

// baseball is the 1987 season of the American League's eastern division: Agresti, "Categorical Data
// Analysis", page 438 of the second edition (2002), as the R package BradleyTerry2 has it. Teams are
// Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York, Toronto; the home team is the first.
var baseball = []Met{
	{4, 3, 4, 0, 3},
	{4, 6, 4, 0, 2},
	{4, 5, 4, 0, 3},
	{4, 1, 6, 0, 1},
	{4, 2, 4, 0, 2},
	{4, 0, 6, 0, 0},
	{3, 4, 3, 0, 3},
	{3, 6, 4, 0, 2},
	{3, 5, 4, 0, 3},
	{3, 1, 6, 0, 0},
	{3, 2, 6, 0, 1},
	{3, 0, 4, 0, 3},
	{6, 4, 2, 0, 5},
	{6, 3, 4, 0, 3},
	{6, 5, 2, 0, 4},
	{6, 1, 4, 0, 3},
	{6, 2, 4, 0, 2},
	{6, 0, 6, 0, 0},
	{5, 4, 3, 0, 3},
	{5, 3, 5, 0, 1},
	{5, 6, 2, 0, 5},
	{5, 1, 4, 0, 3},
	{5, 2, 4, 0, 2},
	{5, 0, 6, 0, 1},
	{1, 4, 5, 0, 1},
	{1, 3, 2, 0, 5},
	{1, 6, 3, 0, 3},
	{1, 5, 4, 0, 2},
	{1, 2, 5, 0, 2},
	{1, 0, 6, 0, 0},
	{2, 4, 2, 0, 5},
	{2, 3, 3, 0, 3},
	{2, 6, 3, 0, 4},
	{2, 5, 4, 0, 3},
	{2, 1, 4, 0, 2},
	{2, 0, 2, 0, 4},
	{0, 4, 2, 0, 5},
	{0, 3, 1, 0, 5},
	{0, 6, 1, 0, 6},
	{0, 5, 2, 0, 4},
	{0, 1, 1, 0, 6},
	{0, 2, 3, 0, 4},
}

// pudding is Davidson's (1970) example 2: six brands of chocolate pudding, each pair compared by about
// fifty people, a third of them without preference. As the R package PlackettLuce has it.
var pudding = []Met{
	{0, 1, 19, 16, 22},
	{0, 2, 16, 12, 19},
	{1, 2, 19, 10, 19},
	{0, 3, 18, 13, 23},
	{1, 3, 23, 9, 19},
	{2, 3, 19, 15, 20},
	{0, 4, 13, 18, 19},
	{1, 4, 16, 12, 20},
	{2, 4, 16, 17, 15},
	{3, 4, 17, 16, 14},
	{0, 5, 18, 12, 21},
	{1, 5, 22, 12, 20},
	{2, 5, 13, 10, 18},
	{3, 5, 14, 18, 19},
	{4, 5, 11, 12, 21},
}

// TestBaseball holds the model without draws to Agresti's table 10.11: strengths against Baltimore's
// without home advantage, whose errors the text gives as about 0.3, and shares of all strengths and
// the advantage of the home team with it.
func TestBaseball(t *testing.T) {
	plain := mustFit(t, joint{prior: tiny, even: true}, 7, baseball)
	for team, want := range []string{"", "1.11", "0.68", "1.44", "1.58", "1.25", "1.29"} {
		if want != "" {
			d := difference(plain, team, 0)
			printed(t, "team "+strconv.Itoa(team), nats(d.Value), want)
			printed(t, "its error", deviation(d), "0.3")
		}
	}
	home := mustFit(t, joint{prior: tiny}, 7, baseball)
	sum := 0.0
	for team := range 7 {
		sum += math.Exp(nats(home.Elo(team)))
	}
	for team, want := range []string{"0.044", "0.137", "0.088", "0.190", "0.220", "0.157", "0.164"} {
		printed(t, "share of team "+strconv.Itoa(team), math.Exp(nats(home.Elo(team)))/sum, want)
	}
	printed(t, "home advantage", nats(home.Advantage().Value), "0.3023") // the fourth digit: BradleyTerry2's vignette, section 3.3
}

// TestPudding holds the model with draws to Davidson (1970) and to the vignette "Introduction to
// PlackettLuce", section 2: the worths (which Davidson's seven iterations give to six digits), the
// logarithms around their mean with their errors, and those against brand 1.
func TestPudding(t *testing.T) {
	r := mustFit(t, joint{prior: tiny, even: true}, 6, pudding)
	sum := 0.0
	for i := range 6 {
		sum += math.Exp(nats(r.Elo(i)))
	}
	share := r.DrawShare()
	weight := func(share float64) float64 { return 2 * share / (1 - share) }
	for i, want := range []struct{ worth, mean, meanError, first, firstError string }{
		{"0.139", "-0.177", "0.122", "", ""},
		{"0.173", "0.044", "0.122", "0.220", "0.1872"},
		{"0.162", "-0.024", "0.127", "0.153", "0.1935"},
		{"0.165", "-0.001", "0.122", "0.175", "0.1882"},
		{"0.159", "-0.043", "0.127", "0.134", "0.1927"},
		{"0.202", "0.201", "0.127", "0.377", "0.1924"},
	} {
		name := "brand " + strconv.Itoa(i+1)
		printed(t, name, math.Exp(nats(r.Elo(i)))/sum, want.worth)
		printed(t, name+" from the mean", nats(r.FromMean(i).Value), want.mean)
		printed(t, name+"'s error from the mean", deviation(r.FromMean(i)), want.meanError)
		if i > 0 {
			printed(t, name+" from the first", nats(difference(r, i, 0).Value), want.first)
			printed(t, name+"'s error from the first", deviation(difference(r, i, 0)), want.firstError)
		}
	}
	printed(t, "weight of draws", weight(share.Value), "0.747")
	printed(t, "its logarithm", math.Log(weight(share.Value)), "-0.292")
	printed(t, "its error", (math.Log(weight(share.High))-math.Log(weight(share.Low)))/2/quantile, "0.0825")
}

// TestPlackettLuce holds the prior to section 2.3 of the same vignette: four items in five
// comparisons, of which D has lost the only one; R stopped at a tolerance of 1e-6. Without a prior the other three have finite ratings.
func TestPlackettLuce(t *testing.T) {
	games := []Met{{0, 1, 1, 0, 0}, {2, 0, 1, 0, 0}, {0, 3, 1, 0, 0}, {1, 0, 1, 0, 0}, {1, 2, 1, 0, 0}}
	prior := mustFit(t, joint{prior: 1, even: true}, 4, games)
	for i, want := range []string{"0.00000", "0.51842", "0.13547", "-1.15376"} {
		printed(t, string(rune('A'+i)), nats(difference(prior, i, 0).Value), want)
	}
	if d := prior.FromMean(3); !math.IsInf(d.Low, -1) || math.IsInf(d.High, 0) {
		t.Errorf("D, who never scored, differs from the mean by %v", d)
	}
	without := mustFit(t, joint{prior: tiny, even: true}, 3, append(games[:2:2], games[3:]...))
	for i, want := range []struct{ value, deviation string }{{"0.0000", "0.0000"}, {"0.8392", "1.3596"}, {"0.4196", "1.5973"}} {
		printed(t, string(rune('A'+i)), nats(difference(without, i, 0).Value), want.value)
		printed(t, "its error", deviation(difference(without, i, 0)), want.deviation)
	}
}

// TestChess is three chess engines whose ratings one can tell by hand, at which EloStat failed: 75 %,
// 75 % and 90 % of the points, the draws counted as half a win and half a loss.
// http://www.talkchess.com/forum3/viewtopic.php?t=44180
func TestChess(t *testing.T) {
	half := func(i, j, wins, draws, losses int) Met { return Met{i, j, 2*wins + draws, 0, 2*losses + draws} }
	r := mustFit(t, joint{prior: tiny, even: true}, 3, []Met{half(0, 1, 18, 9, 3), half(1, 2, 18, 9, 3), half(0, 2, 24, 6, 0)})
	for i, want := range []string{"191", "0", "-191"} {
		if got := strconv.FormatFloat(math.Round(r.Elo(i))+0, 'f', 0, 64); got != want {
			t.Errorf("engine %d: %s Elo, want %s", i, got, want)
		}
	}
}
