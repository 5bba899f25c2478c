package rating

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// tiny is a prior that leaves the published digits of plain maximum likelihood as they are.
const tiny = 1e-7

// difference is by how much one player is stronger than another, in Elo.
func difference(r Ratings, i, j int) Interval {
	return normal(r.strengths[i]-r.strengths[j], r.variance(i, j)).times(r.unit)
}

func mustFit(t testing.TB, model joint, players int, games []Met) Ratings {
	t.Helper()
	r, err := model.fit(players, games)
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

// TestTwoPlayers: of two players the maximum can be written down: 400·log₁₀ of wins to losses, draws
// as they were; and scaled it is near the Elo of their score.
func TestTwoPlayers(t *testing.T) {
	r := mustFit(t, joint{prior: tiny, even: true}, 2, []Met{{0, 1, 200, 150, 150}, {1, 0, 100, 150, 250}})
	if d := difference(r, 0, 1); !near(d.Value, 400*math.Log10(1.8)) {
		t.Errorf("450 wins, 250 losses: %v", d)
	}
	weight := 300 / math.Sqrt(450*250)
	if s := r.DrawShare(); !near(s.Value, weight/(2+weight)) || !(s.Low < s.Value && s.Value < s.High) {
		t.Errorf("300 of 1,000 drawn: %v", s)
	}
	judged, scaled := NewEstimate(Games{450, 300, 250}).Elo, difference(r.Scaled(), 0, 1)
	if math.Abs(scaled.Value-judged.Value) > 1 || math.Abs(scaled.Error()-judged.Error()) > 1 {
		t.Errorf("scaled %v, by their score %v", scaled, judged)
	}
	moved := mustFit(t, joint{prior: tiny}, 2, []Met{{0, 1, 80, 0, 20}, {1, 0, 80, 0, 20}})
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
	got := mustFit(t, joint{prior: tiny}, len(strength), met)
	worth, first, draw := multiply(len(strength), met)
	for i := range worth {
		if elo := 400 * math.Log10(worth[i]/worth[0]); math.Abs(elo-difference(got, i, 0).Value) > 1e-6 {
			t.Errorf("player %d: %v, by multiplication %v", i, difference(got, i, 0).Value, elo)
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
		rated := mustFit(t, joint{prior: 1}, len(strength), simulate(r, strength, 1.3, 0.8, 20))
		for i := range strength {
			for j := range i {
				total++
				truth, d := 400*math.Log10(strength[i]/strength[j]), difference(rated, i, j)
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
		low, high   float64 // of player 0 from the mean; NaN: finite
		superiority float64 // of player 0; -1: above ½ and below 1
	}{
		{"no game", 2, nil, -inf, inf, 0.5},
		{"only draws", 2, []Met{{0, 1, 0, 100, 0}}, math.NaN(), math.NaN(), 0.5},
		{"only wins", 2, []Met{{0, 1, 5, 0, 0}, {1, 0, 0, 0, 5}}, math.NaN(), inf, -1},
		{"a chain of wins", 3, []Met{{0, 2, 3, 0, 0}, {2, 1, 3, 0, 0}}, math.NaN(), inf, -1},
		{"both beat the third", 3, []Met{{0, 2, 9, 0, 0}, {2, 0, 0, 0, 9}, {1, 2, 3, 0, 0}}, math.NaN(), inf, -1},
		{"groups that never met", 4, []Met{{0, 2, 5, 1, 1}, {2, 0, 1, 1, 2}, {1, 3, 1, 1, 5}, {3, 1, 2, 1, 0}}, -inf, inf, 0.5},
		{"a circle", 3, []Met{{0, 1, 1, 0, 0}, {1, 2, 1, 0, 0}, {2, 0, 1, 0, 0}}, math.NaN(), math.NaN(), 0.5},
	} {
		r := mustFit(t, joint{prior: 1}, test.players, test.games)
		d := r.FromMean(0)
		for _, end := range []struct{ got, want float64 }{{d.Low, test.low}, {d.High, test.high}} {
			if end.got != end.want && !(math.IsNaN(end.want) && !math.IsInf(end.got, 0)) {
				t.Errorf("%s: from the mean %v", test.name, d)
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
	alone := mustFit(t, joint{prior: 1}, 1, nil)
	if alone.Elo(0) != 0 || alone.FromMean(0) != (Interval{}) || difference(alone, 0, 0) != (Interval{}) {
		t.Errorf("one player: %v", alone.FromMean(0))
	}
	for _, bad := range []struct {
		players int
		games   []Met
	}{
		{0, nil},
		{1001, nil},
		{2, []Met{{0, 2, 1, 0, 0}}},
		{2, []Met{{-1, 0, 1, 0, 0}}},
		{2, []Met{{1, 1, 1, 0, 0}}},
		{2, []Met{{0, 1, -1, 0, 0}}},
		{2, []Met{{0, 1, 0, math.MaxInt, 0}}},
		{2, []Met{{0, 1, 1e9, 0, 0}, {1, 0, 1, 0, 0}}},
	} {
		if _, err := Fit(bad.players, bad.games); err == nil {
			t.Errorf("%d players, %v: %v", bad.players, bad.games, err)
		}
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
