package rating

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

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
