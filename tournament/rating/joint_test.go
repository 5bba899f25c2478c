package rating

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// baseball is the 1987 season of the American League's eastern division: Agresti, "Categorical Data
// Analysis", table 10.10 of the second edition (2002), as the R package BradleyTerry2 has it. Teams are
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

func mustFit(t testing.TB, model Joint, players int, games []Met) Ratings {
	t.Helper()
	r, err := model.Fit(players, games)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// nats is Elo as the literature counts strengths.
func nats(elo float64) float64 { return elo * math.Ln10 / 400 }

// printed says whether a number is what was printed, to the last digit printed.
func printed(t *testing.T, what string, got float64, want string) {
	t.Helper()
	_, decimals, _ := strings.Cut(want, ".")
	if s := strconv.FormatFloat(got, 'f', len(decimals), 64); s != want {
		t.Errorf("%s: %s, want %s", what, s, want)
	}
}

// deviation is the standard error of a difference, in nats.
func deviation(d Interval) float64 { return nats(d.Error()) / quantile }

// TestBaseball holds the model without draws to Agresti's table 10.11: strengths against Baltimore's
// without home advantage, whose errors the text gives as about 0.3, and shares of all strengths and
// the advantage of the home team with it.
func TestBaseball(t *testing.T) {
	plain := mustFit(t, Joint{Even: true}, 7, baseball)
	for team, want := range []string{"", "1.11", "0.68", "1.44", "1.58", "1.25", "1.29"} {
		if want != "" {
			d := plain.Difference(team, 0)
			printed(t, "team "+strconv.Itoa(team), nats(d.Value), want)
			printed(t, "its error", deviation(d), "0.3")
		}
	}
	home := mustFit(t, Joint{}, 7, baseball)
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
	r := mustFit(t, Joint{Even: true}, 6, pudding)
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
			printed(t, name+" from the first", nats(r.Difference(i, 0).Value), want.first)
			printed(t, name+"'s error from the first", deviation(r.Difference(i, 0)), want.firstError)
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
	prior := mustFit(t, Joint{Prior: 1, Even: true}, 4, games)
	for i, want := range []string{"0.00000", "0.51842", "0.13547", "-1.15376"} {
		printed(t, string(rune('A'+i)), nats(prior.Difference(i, 0).Value), want)
	}
	if d := prior.Difference(3, 0); !math.IsInf(d.Low, -1) || math.IsInf(d.High, 0) {
		t.Errorf("D, who never scored, differs from A by %v", d)
	}
	if _, err := (Joint{Even: true}).Fit(4, games); !errors.Is(err, ErrNoMaximum) {
		t.Errorf("without a prior: %v", err)
	}
	without := mustFit(t, Joint{Even: true}, 3, append(games[:2:2], games[3:]...))
	for i, want := range []struct{ value, deviation string }{{"0.0000", "0.0000"}, {"0.8392", "1.3596"}, {"0.4196", "1.5973"}} {
		printed(t, string(rune('A'+i)), nats(without.Difference(i, 0).Value), want.value)
		printed(t, "its error", deviation(without.Difference(i, 0)), want.deviation)
	}
}

// TestChess is three chess engines whose ratings one can tell by hand, at which EloStat failed: 75 %,
// 75 % and 90 % of the points, the draws counted as half a win and half a loss.
// http://www.talkchess.com/forum3/viewtopic.php?t=44180
func TestChess(t *testing.T) {
	half := func(i, j, wins, draws, losses int) Met { return Met{i, j, 2*wins + draws, 0, 2*losses + draws} }
	r := mustFit(t, Joint{Even: true}, 3, []Met{half(0, 1, 18, 9, 3), half(1, 2, 18, 9, 3), half(0, 2, 24, 6, 0)})
	for i, want := range []string{"191", "0", "-191"} {
		if got := strconv.FormatFloat(math.Round(r.Elo(i))+0, 'f', 0, 64); got != want {
			t.Errorf("engine %d: %s Elo, want %s", i, got, want)
		}
	}
}

// TestTwoPlayers: of two players the maximum can be written down: 400·log₁₀ of wins to losses, draws
// as they were; and scaled it is near the Elo of their score.
func TestTwoPlayers(t *testing.T) {
	r := mustFit(t, Joint{Even: true}, 2, []Met{{0, 1, 200, 150, 150}, {1, 0, 100, 150, 250}})
	if d := r.Difference(0, 1); !near(d.Value, 400*math.Log10(1.8)) {
		t.Errorf("450 wins, 250 losses: %v", d)
	}
	weight := 300 / math.Sqrt(450*250)
	if s := r.DrawShare(); !near(s.Value, weight/(2+weight)) || !(s.Low < s.Value && s.Value < s.High) {
		t.Errorf("300 of 1,000 drawn: %v", s)
	}
	judged, scaled := Judge(Games{450, 300, 250}).Elo, r.Scaled().Difference(0, 1)
	if math.Abs(scaled.Value-judged.Value) > 1 || math.Abs(scaled.Error()-judged.Error()) > 1 {
		t.Errorf("scaled %v, by their score %v", scaled, judged)
	}
	moved := mustFit(t, Joint{}, 2, []Met{{0, 1, 80, 0, 20}, {1, 0, 80, 0, 20}})
	if a := moved.Advantage(); !near(a.Value, Elo(0.8)) || !near(moved.Elo(0)+1, 1) {
		t.Errorf("80 %% for the first move: %v, and the players %v", a, moved.Elo(0))
	}
}

// TestIndependentMaximum compares Newton's method with another that shares no code with it: an MM
// algorithm in the manner of Hunter (2004), which climbs by multiplications alone.
func TestIndependentMaximum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	strength := []float64{2.5, 1.7, 1, 0.8, 0.5, 0.3}
	met := simulate(r, strength, 1.4, 0.9, 40)
	got := mustFit(t, Joint{}, len(strength), met)
	worth, first, draw := multiply(len(strength), met)
	for i := range worth {
		if elo := 400 * math.Log10(worth[i]/worth[0]); math.Abs(elo-got.Difference(i, 0).Value) > 1e-6 {
			t.Errorf("player %d: %v, by multiplication %v", i, got.Difference(i, 0).Value, elo)
		}
	}
	if a := 400 * math.Log10(first); math.Abs(a-got.Advantage().Value) > 1e-6 {
		t.Errorf("advantage %v, by multiplication %v", got.Advantage(), a)
	}
	if s := draw / (2 + draw); math.Abs(s-got.DrawShare().Value) > 1e-9 {
		t.Errorf("draws %v, by multiplication %v", got.DrawShare(), s)
	}
}

// multiply maximizes the likelihood by MM: the logarithm of the sum of the three weights is replaced
// by its tangent, and the root in the draws' weight by the means that are never below it.
func multiply(players int, met []Met) (worth []float64, first, draw float64) {
	worth = make([]float64, players)
	for i := range worth {
		worth[i] = 1
	}
	first, draw = 1, 1
	for range 20000 {
		points, seen := make([]float64, players), make([]float64, players)
		firstPoints, firstSeen, draws, drawsSeen := 0.0, 0.0, 0.0, 0.0
		for _, m := range met {
			a, b := worth[m.First], worth[m.Second]
			root := math.Sqrt(first * a * b)
			n := float64(m.total()) / (first*a + b + draw*root)
			points[m.First] += float64(m.Wins) + float64(m.Draws)/2
			points[m.Second] += float64(m.Losses) + float64(m.Draws)/2
			seen[m.First] += n * (first + draw*root/a/2)
			seen[m.Second] += n * (1 + draw*root/b/2)
			firstPoints += float64(m.Wins) + float64(m.Draws)/2
			firstSeen += n * (a + draw*root/first/2)
			draws += float64(m.Draws)
			drawsSeen += n * root
		}
		for i := range worth {
			worth[i] = math.Sqrt(worth[i] * points[i] / seen[i]) // half a step, as all parameters move at once
		}
		first = math.Sqrt(first * firstPoints / firstSeen)
		draw = math.Sqrt(draw * draws / drawsSeen)
	}
	return worth, first, draw
}

// simulate plays a round robin with so many games of each pair in each order.
func simulate(r *rand.Rand, strength []float64, first, draw float64, each int) (met []Met) {
	for i := range strength {
		for j := range strength {
			if i == j {
				continue
			}
			m := Met{First: i, Second: j}
			a, b := first*strength[i], strength[j]
			root := draw * math.Sqrt(a*b)
			for range each {
				switch x := r.Float64() * (a + b + root); {
				case x < a:
					m.Wins++
				case x < a+b:
					m.Losses++
				default:
					m.Draws++
				}
			}
			met = append(met, m)
		}
	}
	return met
}

// TestCoverage: of intervals said to hold with 95 %, 95 % hold.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	strength := []float64{1.6, 1.2, 1, 1, 0.7}
	total, held, first, share := 0, 0, 0, 0
	const rounds = 400
	for range rounds {
		rated := mustFit(t, Usual, len(strength), simulate(r, strength, 1.3, 0.8, 20))
		for i := range strength {
			for j := range i {
				total++
				truth, d := 400*math.Log10(strength[i]/strength[j]), rated.Difference(i, j)
				if d.Low <= truth && truth <= d.High {
					held++
				}
			}
		}
		if a := rated.Advantage(); a.Low <= 400*math.Log10(1.3) && 400*math.Log10(1.3) <= a.High {
			first++
		}
		if s := rated.DrawShare(); s.Low <= 0.8/2.8 && 0.8/2.8 <= s.High {
			share++
		}
	}
	for _, x := range []struct {
		name      string
		held, all int
	}{{"differences", held, total}, {"advantage", first, rounds}, {"share of draws", share, rounds}} {
		if c := float64(x.held) / float64(x.all); c < 0.925 || c > 0.975 { // 400 rounds: ± 2.1 %
			t.Errorf("%s: %.1f %% of the intervals hold", x.name, 100*c)
		} else {
			t.Logf("%s: %.1f %%", x.name, 100*c)
		}
	}
}

// TestDegenerate names what cannot be known.
func TestDegenerate(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name        string
		players     int
		games       []Met
		low, high   float64 // of the difference between players 0 and 1; NaN: finite
		superiority float64 // of player 0; -1: above ½ and below 1
	}{
		{"no game", 2, nil, -inf, inf, 0.5},
		{"only draws", 2, []Met{{0, 1, 0, 100, 0}}, math.NaN(), math.NaN(), 0.5},
		{"only wins", 2, []Met{{0, 1, 5, 0, 0}, {1, 0, 0, 0, 5}}, math.NaN(), inf, -1},
		{"a chain of wins", 3, []Met{{0, 2, 3, 0, 0}, {2, 1, 3, 0, 0}}, math.NaN(), inf, -1},
		{"both beat the third", 3, []Met{{0, 2, 9, 0, 0}, {2, 0, 0, 0, 9}, {1, 2, 3, 0, 0}}, -inf, inf, -1},
		{"groups that never met", 4, []Met{{0, 2, 5, 1, 1}, {2, 0, 1, 1, 2}, {1, 3, 1, 1, 5}, {3, 1, 2, 1, 0}}, -inf, inf, 0.5},
		{"a circle", 3, []Met{{0, 1, 1, 0, 0}, {1, 2, 1, 0, 0}, {2, 0, 1, 0, 0}}, math.NaN(), math.NaN(), 0.5},
	} {
		r := mustFit(t, Usual, test.players, test.games)
		d := r.Difference(0, 1)
		for _, end := range []struct{ got, want float64 }{{d.Low, test.low}, {d.High, test.high}} {
			if end.got != end.want && !(math.IsNaN(end.want) && !math.IsInf(end.got, 0)) {
				t.Errorf("%s: the difference is %v", test.name, d)
			}
		}
		s := r.Superiority(0, 1)
		if test.superiority >= 0 && !near(s, test.superiority) || test.superiority < 0 && !(s > 0.5 && s < 1) {
			t.Errorf("%s: superiority %v", test.name, s)
		}
		if !near(s+r.Superiority(1, 0), 1) {
			t.Errorf("%s: superiorities %v and %v", test.name, s, r.Superiority(1, 0))
		}
	}
	alone := mustFit(t, Usual, 1, nil)
	if alone.Elo(0) != 0 || alone.FromMean(0) != (Interval{}) || alone.Difference(0, 0) != (Interval{}) {
		t.Errorf("one player: %v", alone.FromMean(0))
	}
	for name, games := range map[string][]Met{
		"no game": nil, "only draws": {{0, 1, 0, 9, 0}}, "only wins": {{0, 1, 5, 0, 0}},
		"the first always wins": {{0, 1, 5, 0, 0}, {1, 0, 5, 0, 0}}, "one order only": {{0, 1, 5, 2, 3}},
	} {
		if r, err := (Joint{}).Fit(2, games); !errors.Is(err, ErrNoMaximum) {
			t.Errorf("%s: the likeliest are %v, %v", name, r.strengths, err)
		}
	}
	for _, bad := range []struct {
		model   Joint
		players int
		games   []Met
	}{
		{Usual, 0, nil},
		{Usual, 1001, nil},
		{Usual, 2, []Met{{0, 2, 1, 0, 0}}},
		{Usual, 2, []Met{{-1, 0, 1, 0, 0}}},
		{Usual, 2, []Met{{1, 1, 1, 0, 0}}},
		{Usual, 2, []Met{{0, 1, -1, 0, 0}}},
		{Usual, 2, []Met{{0, 1, 0, math.MaxInt, 0}}},
		{Usual, 2, []Met{{0, 1, 1e9, 0, 0}, {1, 0, 1, 0, 0}}},
		{Joint{Prior: math.NaN()}, 2, nil},
		{Joint{Prior: -1}, 2, nil},
		{Joint{Prior: math.Inf(1)}, 2, nil},
	} {
		if _, err := bad.model.Fit(bad.players, bad.games); err == nil || errors.Is(err, ErrNoMaximum) {
			t.Errorf("%v of %d players, %v: %v", bad.model, bad.players, bad.games, err)
		}
	}
}

// someMet draws tournaments of all kinds, most of them far from sensible.
func someMet(t *rapid.T) (players int, games []Met) {
	players = rapid.IntRange(1, 8).Draw(t, "players")
	if players == 1 {
		return players, nil
	}
	count := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 3), rapid.IntRange(0, 100), rapid.IntRange(0, 1e7))
	for range rapid.IntRange(0, 20).Draw(t, "meetings") {
		i := rapid.IntRange(0, players-1).Draw(t, "first")
		j := rapid.IntRange(0, players-2).Draw(t, "second")
		if j >= i {
			j++
		}
		games = append(games, Met{i, j, count.Draw(t, "wins"), count.Draw(t, "draws"), count.Draw(t, "losses")})
	}
	return players, games
}

// TestJointIsNeverNaN: whatever was played, with a prior there are ratings, and all numbers are in order;
// another order of the same games changes no bit of them; and who plays under another number gets the
// same rating.
func TestJointIsNeverNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		players, games := someMet(t)
		model := Joint{Prior: rapid.SampledFrom([]float64{0.1, 1, 1000}).Draw(t, "prior"), Even: rapid.Bool().Draw(t, "even")}
		r, err := model.Fit(players, games)
		if err != nil {
			t.Fatal(err)
		}
		mixed, err := model.Fit(players, rapid.Permutation(games).Draw(t, "order"))
		if err != nil {
			t.Fatal(err)
		}
		turned := make([]Met, len(games))
		for i, m := range games {
			m.First, m.Second = players-1-m.First, players-1-m.Second
			turned[i] = m
		}
		other, err := model.Fit(players, turned)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []Ratings{r, r.Scaled()} {
			if d := r.DrawShare(); !(0 <= d.Low && d.Low <= d.Value && d.Value <= d.High && d.High <= 1) {
				t.Fatalf("draws %v", d)
			}
			sum := 0.0
			for i := range players {
				sum += r.Elo(i)
				for _, d := range []Interval{r.FromMean(i), r.Difference(i, 0), r.Advantage()} {
					if !(d.Low <= d.Value && d.Value <= d.High) || math.IsInf(d.Value, 0) {
						t.Fatalf("%v", d)
					}
				}
				if s := r.Superiority(i, 0); !(s >= 0 && s <= 1) {
					t.Fatalf("superiority %v", s)
				}
				if c := r.Covariance(i, i); !(c >= 0) {
					t.Fatalf("variance %v", c)
				}
			}
			if math.Abs(sum) > 1e-6 {
				t.Fatalf("the ratings' sum is %v", sum)
			}
		}
		for i := range players {
			if r.Elo(i) != mixed.Elo(i) || r.Difference(i, 0) != mixed.Difference(i, 0) {
				t.Fatalf("in another order: %v, %v", r.Elo(i), mixed.Elo(i))
			}
			if math.Abs(r.Elo(i)-other.Elo(players-1-i)) > 1e-3+1e-4*math.Sqrt(r.Covariance(i, i)) {
				t.Fatalf("under another number: %v, %v", r.Elo(i), other.Elo(players-1-i))
			}
		}
	})
}

// TestLikeliestOrNoMaximum: without a prior there are either ratings at which the expected points are
// those that were scored, or the word that there are none.
func TestLikeliestOrNoMaximum(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		players, games := someMet(t)
		r, err := (Joint{}).Fit(players, games)
		if err != nil {
			if !errors.Is(err, ErrNoMaximum) {
				t.Fatal(err)
			}
			return
		}
		found++
		share := r.DrawShare().Value
		expected, scored, all := make([]float64, players), make([]float64, players), 0.0
		for _, m := range games {
			x := nats(r.Difference(m.First, m.Second).Value + r.Advantage().Value)
			win, loss, draw := math.Exp(x/2), math.Exp(-x/2), 2*share/(1-share)
			mean := (win + draw/2) / (win + loss + draw)
			n := float64(m.total())
			expected[m.First] += n * mean
			expected[m.Second] += n * (1 - mean)
			scored[m.First] += float64(m.Wins) + float64(m.Draws)/2
			scored[m.Second] += float64(m.Losses) + float64(m.Draws)/2
			all += n
		}
		for i := range players {
			if math.Abs(expected[i]-scored[i]) > 1e-4*max(1, all) {
				t.Fatalf("player %d scored %v, expected are %v", i, scored[i], expected[i])
			}
		}
	})
	if found == 0 {
		t.Error("no tournament had likeliest ratings")
	}
}

// BenchmarkFit rates 100,000 results of 100 players, given one by one.
func BenchmarkFit(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	strength := make([]float64, 100)
	for i := range strength {
		strength[i] = math.Exp(r.NormFloat64())
	}
	var games []Met
	for _, m := range simulate(r, strength, 1.2, 0.7, 11) {
		for ; m.Wins > 0; m.Wins-- {
			games = append(games, Met{First: m.First, Second: m.Second, Wins: 1})
		}
		for ; m.Draws > 0; m.Draws-- {
			games = append(games, Met{First: m.First, Second: m.Second, Draws: 1})
		}
		for ; m.Losses > 0; m.Losses-- {
			games = append(games, Met{First: m.First, Second: m.Second, Losses: 1})
		}
	}
	r.Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
	games = games[:100_000]
	for b.Loop() {
		if _, err := Fit(len(strength), games); err != nil {
			b.Fatal(err)
		}
	}
}
