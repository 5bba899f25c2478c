package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func mustSPRT(t testing.TB, elo0, elo1, alpha, beta float64, model Model) SPRT {
	t.Helper()
	test, err := NewSPRT(elo0, elo1, alpha, beta, model)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

// TestPublishedRatios holds LLR to what others printed for the same counts. That fishtest stopped at
// some that do not decide here is its correction for overshooting.
func TestPublishedRatios(t *testing.T) {
	for _, test := range []struct {
		source     string
		elo0, elo1 float64
		beta       float64
		model      Model
		counts     Counts
		want       string
		decision   Decision
	}{
		// fishtest; <a,b> are normalized Elo, {a,b} logistic
		{"https://github.com/official-stockfish/Stockfish/pull/6036 (1)", 0.5, 2.5, 0.05, Normalized, Pairs{1, 1098, 3954, 1346, 1}, "2.94", Continue},
		{"https://github.com/official-stockfish/Stockfish/pull/6036 (2)", 0, 2, 0.05, Normalized, Pairs{0, 1236, 4490, 1474, 1}, "2.94", AcceptH1},
		{"https://github.com/official-stockfish/Stockfish/pull/6036 (3)", 0.5, 2.5, 0.05, Normalized, Pairs{4, 2290, 7932, 2562, 4}, "2.95", AcceptH1},
		{"https://github.com/official-stockfish/Stockfish/pull/6255 STC", -1.75, 0.25, 0.05, Normalized, Pairs{317, 12094, 28735, 12231, 319}, "2.96", AcceptH1},
		{"https://github.com/official-stockfish/Stockfish/pull/6255 LTC", -1.75, 0.25, 0.05, Normalized, Pairs{47, 9917, 26934, 10064, 45}, "2.94", Continue},
		{"https://github.com/official-stockfish/Stockfish/pull/3811 STC", 0, 2.5, 0.05, Normalized, Pairs{55, 2567, 5961, 2723, 102}, "2.94", Continue},
		{"https://github.com/official-stockfish/Stockfish/pull/6287 (one kind of result only)", 0, 40, 0.05, Normalized, Pairs{2: 689}, "-18.02", AcceptH0},
		{"https://github.com/official-stockfish/Stockfish/pull/2493 STC", -1, 3, 0.05, Logistic, Pairs{424, 2948, 5832, 3045, 460}, "2.94", Continue},
		{"https://github.com/official-stockfish/Stockfish/pull/2493 LTC", 0, 2, 0.05, Logistic, Pairs{1284, 17437, 55536, 18085, 1292}, "2.94", Continue},
		{"https://github.com/official-stockfish/Stockfish/pull/2971 LTC", 0.25, 1.75, 0.05, Logistic, Pairs{11, 407, 3238, 513, 11}, "2.93", Continue},
		// fastchess
		{"https://github.com/brunocodutra/cinder/pull/836", 0, 3, 0.10, Normalized, Pairs{835, 6884, 13116, 7201, 852}, "2.89", AcceptH1},
		{"https://github.com/brunocodutra/cinder/pull/727", 0, 5, 0.05, Normalized, Pairs{50, 287, 610, 387, 73}, "2.97", AcceptH1},
		{"fastchess app/tests/sprt_test.cpp, normalized trinomial 1", 0, 2, 0.05, Normalized, Games{36433, 68692, 36027}, "0.92", Continue},
		{"fastchess app/tests/sprt_test.cpp, normalized trinomial 2", -1.75, 0.25, 0.05, Normalized, Games{10871, 20431, 10650}, "2.30", Continue},
		{"fastchess app/tests/sprt_test.cpp, logistic trinomial 1", 0.5, 2.5, 0.05, Logistic, Games{21404, 40708, 21184}, "-1.57", Continue},
		{"fastchess app/tests/sprt_test.cpp, logistic trinomial 2", 0, 2, 0.05, Logistic, Games{57433, 106593, 57030}, "-2.59", Continue},
		{"fastchess app/tests/sprt_test.cpp, normalized pentanomial 1", 0, 2, 0.05, Normalized, Pairs{365, 16618, 36029 + 200, 16974, 390}, "2.25", Continue},
		{"fastchess app/tests/sprt_test.cpp, normalized pentanomial 2", -1.75, 0.25, 0.05, Normalized, Pairs{127, 4883, 10311 + 401, 5150, 104}, "3.01", AcceptH1},
		{"fastchess app/tests/sprt_test.cpp, logistic pentanomial 1", 0.5, 2.5, 0.05, Logistic, Pairs{223, 9863, 20279 + 1000, 10037, 246}, "-3.07", AcceptH0},
		{"fastchess app/tests/sprt_test.cpp, logistic pentanomial 2", 0, 2, 0.05, Logistic, Pairs{871, 26175, 55003 + 980, 26678, 821}, "-4.98", AcceptH0},
		// Cute Chess; in the thread fishtest's own script comes to the same
		{"https://github.com/cutechess/cutechess/issues/543", 0, 5, 0.05, Logistic, Games{880, 1863, 759}, "2.95", AcceptH1},
	} {
		s := mustSPRT(t, test.elo0, test.elo1, 0.05, test.beta, test.model)
		llr := s.LLR(test.counts)
		if got := fmt.Sprintf("%.2f", llr); got != test.want {
			t.Errorf("%s: %s, want %s", test.source, got, test.want)
		}
		if got := s.Decide(llr); got != test.decision {
			t.Errorf("%s: LLR %v: %v, want %v", test.source, llr, got, test.decision)
		}
	}
}

// TestNothingButWins: fastchess expects these to within 1 % in app/tests/sprt_test.cpp, as its
// iteration stops early; withT below is held to the optimum.
func TestNothingButWins(t *testing.T) {
	for _, test := range []struct {
		elo1   float64
		counts Counts
		want   float64
	}{
		{10, Games{Wins: 4250}, 120.56},
		{5, Pairs{4: 5550}, 111.82},
	} {
		if got := mustSPRT(t, 0, test.elo1, 0.05, 0.05, Normalized).LLR(test.counts); math.Abs(got-test.want) > 0.05 {
			t.Errorf("%v: %v, want %v", test.counts, got, test.want)
		}
	}
}

func TestBounds(t *testing.T) {
	// Printed by fishtest and fastchess as (-2.94, 2.94) and (-2.25, 2.89).
	for _, test := range []struct {
		beta float64
		want string
	}{{0.05, "(-2.94, 2.94)"}, {0.10, "(-2.25, 2.89)"}} {
		lower, upper := mustSPRT(t, 0, 5, 0.05, test.beta, Logistic).Bounds()
		if got := fmt.Sprintf("(%.2f, %.2f)", lower, upper); got != test.want {
			t.Errorf("beta %v: %s, want %s", test.beta, got, test.want)
		}
	}
}

// observed draws a distribution without zeros.
func observed(t *rapid.T, kinds int) distribution {
	s := sample{kinds: kinds, games: 1}
	for i := range kinds {
		s.counts[i] = math.Pow(10, rapid.Float64Range(-3, 4).Draw(t, "count"))
	}
	return s.shares()
}

func likelihood(of, under *distribution) (sum float64) {
	for i := range of.kinds {
		sum += of.p[i] * math.Log(under.p[i])
	}
	return sum
}

// TestLikeliest compares the constrained distributions with any other that satisfies the constraint:
// none may be likelier.
func TestLikeliest(t *testing.T) {
	tValue := func(d *distribution) float64 {
		mean := d.mean()
		return (mean - 0.5) / math.Sqrt(d.moment(2, mean))
	}
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SampledFrom([]int{3, 5}).Draw(t, "kinds")
		d := observed(t, kinds)
		statistic, best, wanted := (*distribution).mean, distribution{}, rapid.Float64Range(0.01, 0.99).Draw(t, "mean")
		if rapid.Bool().Draw(t, "normalized") {
			statistic, wanted = tValue, rapid.Float64Range(-0.8, 0.8).Draw(t, "t")
			best = d.withT(wanted)
		} else {
			best = d.withMean(wanted)
		}
		if !near(statistic(&best), wanted) || !near(best.moment(0, 0), 1) {
			t.Fatalf("%v adds up to %v and has %v, want %v", best, best.moment(0, 0), statistic(&best), wanted)
		}
		low, high := observed(t, kinds), observed(t, kinds)
		if statistic(&low) > statistic(&high) {
			low, high = high, low
		}
		if !(statistic(&low) < wanted && statistic(&high) > wanted) {
			return
		}
		from, to := 0.0, 1.0
		var other distribution
		for range 100 { // somewhere between the two is one that satisfies it
			middle := (from + to) / 2
			other = low
			for i := range kinds {
				other.p[i] += middle * (high.p[i] - low.p[i])
			}
			if statistic(&other) < wanted {
				from = middle
			} else {
				to = middle
			}
		}
		if a, b := likelihood(&d, &best), likelihood(&d, &other); b > a+1e-9 {
			t.Fatalf("%v: %v has %v, %v has %v", d, best, a, other, b)
		}
	})
}

func TestRatioProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := someCounts(t)
		model := rapid.SampledFrom([]Model{Logistic, Normalized}).Draw(t, "model")
		elo0 := rapid.Float64Range(-100, 90).Draw(t, "elo0")
		elo1 := elo0 + rapid.Float64Range(0.1, 100).Draw(t, "width")
		test, err := NewSPRT(elo0, elo1, 0.05, 0.05, model)
		mirror, mirrorErr := NewSPRT(-elo1, -elo0, 0.05, 0.05, model)
		if err != nil || mirrorErr != nil {
			t.Fatal(err, mirrorErr)
		}
		llr := test.LLR(c)
		if math.IsNaN(llr) || math.IsInf(llr, 0) {
			t.Fatalf("%v of %v is %v", test, c, llr)
		}
		if swapped := mirror.LLR(c.Swapped()); !close(llr, -swapped) {
			t.Errorf("%v of %v is %v, but of the other side %v", test, c, llr, swapped)
		}
		if e := NewEstimate(c); model == Logistic && e.Games > 0 && e.Variance > 0 {
			if e.Elo.Value > elo1+1 && llr <= 0 || e.Elo.Value < elo0-1 && llr >= 0 {
				t.Errorf("%v of %v is %v, though Elo is %v", test, c, llr, e.Elo.Value)
			}
		}
	})
}

// TestRatioGrowsWithEvidence: twice the same evidence is twice the ratio, and every loss that turns
// into a win speaks for H1.
func TestRatioGrowsWithEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(20, 1000)
		g := Games{count.Draw(t, "w"), count.Draw(t, "d"), count.Draw(t, "l")}
		for _, model := range []Model{Logistic, Normalized} {
			test, _ := NewSPRT(0, 10, 0.05, 0.05, model)
			once := test.LLR(g)
			if twice := test.LLR(Games{2 * g.Wins, 2 * g.Draws, 2 * g.Losses}); !near(twice, 2*once) {
				t.Errorf("%v: %v, twice as many: %v", g, once, twice)
			}
			if better := test.LLR(Games{g.Wins + 1, g.Draws, g.Losses - 1}); better <= once {
				t.Errorf("%v: %v, with a loss turned into a win: %v", g, once, better)
			}
		}
	})
}

// TestErrorRates plays matches of known strength to their decisions. Pairs are drawn, not games: a
// third of them is decided by their set-ups, whoever plays them, so one game each is won.
func TestErrorRates(t *testing.T) {
	const matches, elo1 = 1000, 60
	test := mustSPRT(t, 0, elo1, 0.05, 0.05, Logistic)
	r := rand.New(rand.NewPCG(5, 9))
	for _, elo := range []float64{0, elo1} {
		// The mean of ⅓·½ + ⅔·win is the score that is wanted.
		win := (Score(elo) - 0.5/3) * 1.5
		accepted, pairsPlayed := 0, 0
		for range matches {
			var p Pairs
			decision := Continue
			for decision == Continue {
				points := 2
				if r.IntN(3) > 0 {
					points = 0
					for range 2 {
						if r.Float64() < win {
							points += 2
						}
					}
				}
				p[points]++
				decision = test.Decide(test.LLR(p))
			}
			pairsPlayed += p.Total()
			if decision == AcceptH1 {
				accepted++
			}
		}
		// 1,000 matches: the deviation of an error rate of 5 % is 0.7 %.
		rate := float64(accepted) / matches
		if elo == elo1 {
			rate = 1 - rate
		}
		if rate > 0.07 {
			t.Errorf("at %v Elo %.1f %% of decisions were wrong, want 5 %%", elo, 100*rate)
		}
		spread := win * (1 - win)
		mean := Score(elo)
		between := 2*(win-mean)*(win-mean)/3 + (0.5-mean)*(0.5-mean)/3
		variance := 2 * (2.0/3*spread/2 + between) // of a pair's mean, times its two games
		want, accept := test.Expect(elo, variance)
		if got := 2 * float64(pairsPlayed) / matches; got < want*0.9 || got > want*1.25 {
			t.Errorf("at %v Elo a match took %.0f games, expected were %.0f", elo, got, want)
		}
		if wantAccept := 0.05; elo == 0 && !close(accept, wantAccept) || elo == elo1 && !close(accept, 1-wantAccept) {
			t.Errorf("at %v Elo H1 is expected with %v", elo, accept)
		}
		t.Logf("at %v Elo: %.1f %% wrong, %.0f games, expected %.0f", elo, 100*rate, 2*float64(pairsPlayed)/matches, want)
	}
}

func TestExpectIsFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		model := rapid.SampledFrom([]Model{Logistic, Normalized}).Draw(t, "model")
		test, err := NewSPRT(0, rapid.Float64Range(0.1, 200).Draw(t, "elo1"), rapid.Float64Range(1e-9, 0.4).Draw(t, "alpha"),
			rapid.Float64Range(1e-9, 0.4).Draw(t, "beta"), model)
		if err != nil {
			t.Fatal(err)
		}
		games, accept := test.Expect(rapid.Float64Range(-1000, 1000).Draw(t, "elo"), rapid.Float64Range(-1, 0.5).Draw(t, "variance"))
		if !(games > 0) || math.IsInf(games, 0) || !(accept >= 0 && accept <= 1) {
			t.Fatalf("%v: %v games, H1 with %v", test, games, accept)
		}
	})
}

func TestNewSPRTRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, bad := range [][4]float64{
		{5, 5, 0.05, 0.05},
		{5, 0, 0.05, 0.05},
		{nan, 5, 0.05, 0.05},
		{0, nan, 0.05, 0.05},
		{-inf, 5, 0.05, 0.05},
		{0, inf, 0.05, 0.05},
		{0, 5, 0, 0.05},
		{0, 5, 0.05, 0.5},
		{0, 5, nan, 0.05},
		{0, 5, 0.05, -0.1},
		{0, 2000, 0.05, 0.05},
	} {
		if _, err := NewSPRT(bad[0], bad[1], bad[2], bad[3], Logistic); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	if _, err := NewSPRT(0, 5, 0.05, 0.05, 7); err == nil {
		t.Error("model 7 was accepted")
	}
}

func TestParseHypotheses(t *testing.T) {
	for _, test := range []struct {
		text       string
		elo0, elo1 float64
		ok         bool
	}{
		{"0,10", 0, 10, true},
		{"-2.5, 2.5", -2.5, 2.5, true},
		{"", 0, 0, false},
		{"0", 0, 0, false},
		{"0,10,20", 0, 0, false},
		{"a,b", 0, 0, false},
	} {
		elo0, elo1, err := ParseHypotheses(test.text)
		if elo0 != test.elo0 || elo1 != test.elo1 || (err == nil) != test.ok {
			t.Errorf("%q: %v, %v, %v", test.text, elo0, elo1, err)
		}
	}
}

func TestParseModel(t *testing.T) {
	for _, model := range []Model{Logistic, Normalized} {
		if got, err := ParseModel(model.String()); got != model || err != nil {
			t.Errorf("%v: %v, %v", model, got, err)
		}
	}
	if _, err := ParseModel("bayesian"); err == nil {
		t.Error("bayesian was accepted")
	}
}

func BenchmarkLLR(b *testing.B) {
	p := Pairs{50, 287, 610, 387, 73}
	for _, model := range []Model{Logistic, Normalized} {
		test := mustSPRT(b, 0, 5, 0.05, 0.05, model)
		b.Run(model.String(), func(b *testing.B) {
			for b.Loop() {
				test.LLR(p)
			}
		})
	}
}
