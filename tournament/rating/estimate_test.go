package rating

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPublishedEstimates holds Judge to what others printed for the same counts, digit by digit.
// What is empty was not printed there, or, in the case of the error of normalized Elo, is another
// thing there: fastchess takes the deviation for known, which makes it smaller the farther the score
// is from ½; fishtest's is ours.
func TestPublishedEstimates(t *testing.T) {
	for _, test := range []struct {
		source                                  string
		counts                                  Counts
		elo, eloError, nelo, neloError, percent string
	}{
		// fishtest
		{"https://github.com/official-stockfish/Stockfish/pull/6255 (stalemate 10k)", Pairs{1, 137, 4659, 203, 0}, "2.22", "1.3", "12.00", "6.8", "100.0"},
		// fastchess
		{"https://github.com/brunocodutra/cinder/pull/836", Pairs{835, 6884, 13116, 7201, 852}, "2.11", "1.70", "3.52", "2.83", "99.25"},
		{"https://github.com/brunocodutra/cinder/pull/727", Pairs{50, 287, 610, 387, 73}, "18.04", "8.23", "28.19", "", "100.00"},
		{"https://github.com/brunocodutra/cinder/pull/820", Pairs{244, 1980, 3630, 2067, 263}, "2.65", "3.24", "4.36", "5.32", "94.56"},
		{"https://github.com/lynx-chess/Lynx/pull/1899", Pairs{235, 1384, 2521, 1341, 239}, "-1.06", "4.05", "-1.67", "6.37", "30.33"},
		{"fastchess app/tests/elo_test.cpp, EloPentanomial 1", Pairs{34, 54, 31 + 32, 64, 75}, "55.58", "27.65", "57.94", "", "100.00"},
		{"fastchess app/tests/elo_test.cpp, EloPentanomial 2", Pairs{332, 433, 457 + 41, 333, 334}, "-8.64", "10.33", "-9.17", "", "5.05"},
		{"fastchess app/tests/elo_test.cpp, EloPentanomial 3", Pairs{7895, 8757, 5485 + 200, 568, 9999}, "-21.04", "", "-19.01", "", "0.00"},
		{"fastchess app/tests/elo_test.cpp, EloWDL 1", Games{76, 123, 89}, "", "", "-20.76", "", "15.53"},
		{"fastchess app/tests/elo_test.cpp, EloWDL 2", Games{136, 111, 96}, "40.70", "30.43", "49.77", "", "99.60"},
		{"fastchess app/tests/elo_test.cpp, EloWDL 3", Games{34, 0, 356}, "", "", "-508.44", "", ""},
		// Cute Chess
		{"https://github.com/cutechess/cutechess/issues/543", Games{880, 1863, 759}, "12.0", "7.9", "", "", "99.9"},
		{"https://github.com/mvanthoor/rustic-book, sprt_results.md (TT-move ordering)", Games{409, 133, 197}, "102.5", "23.5", "", "", "100.0"},
		{"https://github.com/JoAnnP38/Pedantic/pull/8", Games{332, 352, 316}, "5.6", "17.3", "", "", "73.5"},
	} {
		e := NewEstimate(test.counts)
		for _, number := range []struct {
			name, want string
			got        float64
		}{
			{"Elo", test.elo, e.Elo.Value},
			{"its error", test.eloError, e.Elo.Error()},
			{"normalized Elo", test.nelo, e.Normalized.Value},
			{"its error", test.neloError, e.Normalized.Error()},
			{"likelihood of superiority", test.percent, 100 * e.Superiority},
		} {
			_, decimals, _ := strings.Cut(number.want, ".")
			if got := strconv.FormatFloat(number.got, 'f', len(decimals), 64); number.want != "" && got != number.want {
				t.Errorf("%s: %s %s, want %s", test.source, number.name, got, number.want)
			}
		}
	}
}

// TestEdges names what little evidence is worth: finite where it can be, infinite where it must.
func TestEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name        string
		counts      Counts
		elo         Interval
		superiority float64
	}{
		{"no game", Games{}, Interval{0, -inf, inf}, 0.5},
		{"no pair", Pairs{}, Interval{0, -inf, inf}, 0.5},
		{"a win", Games{Wins: 1}, Interval{inf, Elo(0.025), inf}, 0.75},
		{"a loss", Games{Losses: 1}, Interval{-inf, -inf, Elo(0.975)}, 0.25},
		{"a draw", Games{Draws: 1}, Interval{0, Elo(0.0125), Elo(0.9875)}, 0.5},
		{"a pair of wins", Pairs{4: 1}, Interval{inf, Elo(0.025), inf}, 0.75},
		{"a win and a draw", Pairs{3: 1}, Interval{Elo(0.75), Elo(0.75 * 0.025), Elo(1 - 0.25*0.025)}, 0.75},
		{"ten wins", Games{Wins: 10}, Interval{inf, Elo(math.Pow(0.025, 0.1)), inf}, 1 - 1.0/2048},
		{"a win and a loss", Games{Wins: 1, Losses: 1}, Interval{0, -inf, inf}, 0.5},
	} {
		e := NewEstimate(test.counts)
		if !near(e.Elo.Value, test.elo.Value) || !near(e.Elo.Low, test.elo.Low) || !near(e.Elo.High, test.elo.High) ||
			!near(e.Superiority, test.superiority) {
			t.Errorf("%s: Elo %v, superiority %v; want %v, %v", test.name, e.Elo, e.Superiority, test.elo, test.superiority)
		}
	}
}

// near allows for rounding, and knows that infinities are equal.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// someCounts draws counts of all sizes, zeros among them.
func someCounts(t *rapid.T) Counts {
	count := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 5), rapid.IntRange(0, 1000), rapid.IntRange(0, 1e9))
	if rapid.Bool().Draw(t, "pairs") {
		var p Pairs
		for i := range p {
			p[i] = count.Draw(t, "count")
		}
		return p
	}
	return Games{count.Draw(t, "wins"), count.Draw(t, "draws"), count.Draw(t, "losses")}
}

func TestEstimateIsNeverNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := NewEstimate(someCounts(t))
		for _, i := range []Interval{e.Score, e.Elo, e.Normalized} {
			if !(i.Low <= i.Value && i.Value <= i.High) || !(i.Error() >= 0) {
				t.Fatalf("%+v", e)
			}
		}
		if !(e.Superiority >= 0 && e.Superiority <= 1) || !(e.Score.Low >= 0 && e.Score.High <= 1) {
			t.Fatalf("%+v", e)
		}
		if !(e.Variance >= 0 && e.Variance <= 0.5) {
			t.Fatalf("%+v", e)
		}
	})
}

func TestSwappingPlayersNegates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := someCounts(t)
		e, o := NewEstimate(c), NewEstimate(c.Swapped())
		for _, i := range [][2]Interval{{e.Elo, o.Elo}, {e.Normalized, o.Normalized}} {
			if !close(i[0].Value, -i[1].Value) || !close(i[0].Low, -i[1].High) {
				t.Fatalf("%v: %+v and %+v", c, e, o)
			}
		}
		if !close(e.Superiority, 1-o.Superiority) || c.Swapped().Swapped() != c {
			t.Fatalf("%v: %+v and %+v", c, e, o)
		}
	})
}

// close is near for what has been computed on two ways, by differences from ½ or 1.
func close(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-4*max(1, math.Abs(a), math.Abs(b))
}

func TestBetterResultIsMoreElo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Games{rapid.IntRange(0, 100).Draw(t, "w"), rapid.IntRange(0, 100).Draw(t, "d"), rapid.IntRange(1, 100).Draw(t, "l")}
		better := Games{g.Wins + 1, g.Draws, g.Losses - 1}
		if a, b := NewEstimate(g).Elo.Value, NewEstimate(better).Elo.Value; !(b > a) {
			t.Fatalf("%v: %v, %v: %v", g, a, better, b)
		}
	})
}

// TestPairsOfIndependentGames: where the games of a pair do not depend on each other, both kinds of
// counts say the same; where every pair is split, games alone see an error that is not there.
func TestPairsOfIndependentGames(t *testing.T) {
	games := NewEstimate(Games{Wins: 600, Losses: 400})
	pairs := NewEstimate(Pairs{80, 0, 240, 0, 180}) // 500 pairs, 0.4², 2·0.4·0.6, 0.6²
	if !near(games.Elo.Error(), pairs.Elo.Error()) || !near(games.Variance, pairs.Variance) || !near(games.Normalized.Value, pairs.Normalized.Value) {
		t.Errorf("games %+v\npairs %+v", games, pairs)
	}
	split := NewEstimate(Pairs{0, 1, 998, 1, 0})
	if alone := NewEstimate(Games{Wins: 999, Draws: 2, Losses: 999}); split.Elo.Error() > alone.Elo.Error()/20 {
		t.Errorf("split pairs: ± %v; games alone: ± %v", split.Elo.Error(), alone.Elo.Error())
	}
}
