package rating

import (
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
		model := joint{prior: rapid.SampledFrom([]float64{0.1, 1, 1000}).Draw(t, "prior"), even: rapid.Bool().Draw(t, "even")}
		r, err := model.fit(players, games)
		if err != nil {
			t.Fatal(err)
		}
		mixed, err := model.fit(players, rapid.Permutation(games).Draw(t, "order"))
		if err != nil {
			t.Fatal(err)
		}
		turned := make([]Met, len(games))
		for i, m := range games {
			m.First, m.Second = players-1-m.First, players-1-m.Second
			turned[i] = m
		}
		other, err := model.fit(players, turned)
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
				for _, d := range []Interval{r.FromMean(i), difference(r, i, 0), r.Advantage()} {
					if !(d.Low <= d.Value && d.Value <= d.High) || math.IsInf(d.Value, 0) {
						t.Fatalf("%v", d)
					}
				}
				if s := r.Superiority(i, 0); !(s >= 0 && s <= 1) {
					t.Fatalf("superiority %v", s)
				}
				if c := (r.unit * r.unit * r.covariance.At(i, i)); !(c >= 0) {
					t.Fatalf("variance %v", c)
				}
			}
			if math.Abs(sum) > 1e-6 {
				t.Fatalf("the ratings' sum is %v", sum)
			}
		}
		for i := range players {
			if r.Elo(i) != mixed.Elo(i) || difference(r, i, 0) != difference(mixed, i, 0) {
				t.Fatalf("in another order: %v, %v", r.Elo(i), mixed.Elo(i))
			}
			if math.Abs(r.Elo(i)-other.Elo(players-1-i)) > 1e-3+1e-4*math.Sqrt((r.unit*r.unit*r.covariance.At(i, i))) {
				t.Fatalf("under another number: %v, %v", r.Elo(i), other.Elo(players-1-i))
			}
		}
	})
}
