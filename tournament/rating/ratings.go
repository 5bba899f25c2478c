package rating

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Ratings holds the strengths of many players, estimated from all of their games at once, in Elo around a mean of zero.
// Only differences mean something, and only of them are there honest errors: a rating against an
// anchor would carry the anchor's error.
//
// An interval's end is infinite where no game bounds it: see [Ratings.FromMean]. The estimate itself is finite, by
// virtual games (one a player). All finite ends are the normal approximation around the maximum, at 95 %.
//
// All games count as independent. Those of a pair on the same set-ups with seats swapped are not quite:
// where set-ups decide games, errors are rather too large. Of two players, NewEstimate of their Pairs is
// the better evidence.
type Ratings struct {
	strengths  []float64 // nats, mean zero
	covariance *mat.SymDense
	advantage  Interval // nats
	draws      Interval // share between equals
	links      *links
	unit       float64 // Elo a nat
	games      int
}

// take reads the result of a fit.
func (r *Ratings) take(f *fit, inverse *mat.SymDense) {
	n := f.players
	mean := 0.0
	for _, x := range f.at[:n] {
		mean += x / float64(n)
	}
	r.strengths = make([]float64, n)
	for i := range n {
		r.strengths[i] = f.at[i] - mean
	}
	// The covariance about the mean: what fixed the mean, the prior, falls out.
	rows, all := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			rows[i] += inverse.At(i, j) / float64(n)
		}
		all += rows[i] / float64(n)
	}
	r.covariance = mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			r.covariance.SetSym(i, j, inverse.At(i, j)-rows[i]-rows[j]+all)
		}
	}
	if a := f.advantage; a >= 0 {
		r.advantage = normal(f.at[a], inverse.At(a, a))
		if r.games == 0 {
			r.advantage = Interval{0, math.Inf(-1), math.Inf(1)}
		}
	}
	if d := f.draws; d >= 0 {
		r.draws = normal(f.at[d], inverse.At(d, d)).through(func(x float64) float64 { return 1 / (1 + 2*math.Exp(-x)) })
	} else {
		r.draws = unanimousScore(0, float64(r.games))
	}
}

func normal(value, variance float64) Interval {
	e := quantile * math.Sqrt(max(variance, 0))
	return Interval{value, value - e, value + e}
}

// Scaled returns the same ratings by their worth in points: multiplied by the share of games between
// equals that are not drawn. Then a small difference promises the score that everybody's Elo, and
// that of NewEstimate, promises, instead of the odds of a win to a loss (BayesElo scales for the same reason).
func (r Ratings) Scaled() Ratings {
	r.unit = 400 / math.Ln10 * (1 - r.draws.Value)
	return r
}

func (r Ratings) Elo(i int) float64 { return r.unit * r.strengths[i] }

// Advantage is by how much the first move makes a player stronger, in Elo.
func (r Ratings) Advantage() Interval { return r.advantage.times(r.unit) }

// DrawShare is the share of games between equals that are drawn, if moving first were no
// advantage: 0 to 1.
func (r Ratings) DrawShare() Interval { return r.draws }

// variance is that of the difference between two players.
func (r Ratings) variance(i, j int) float64 {
	return r.covariance.At(i, i) + r.covariance.At(j, j) - 2*r.covariance.At(i, j)
}

// FromMean returns the difference between a player and the mean of all players, the player included. If
// players are in groups that never met, there is no such mean, and the ends are infinite. Infinite, too, is the upper
// end of a player that won every game, and the lower end of one that lost every game.
func (r Ratings) FromMean(i int) Interval {
	if len(r.strengths) == 1 {
		return Interval{}
	}
	d := normal(r.strengths[i], r.covariance.At(i, i)).times(r.unit)
	l := r.links
	if l.groups > 1 || l.halves[i] == 0 {
		d.Low = math.Inf(-1)
	}
	if l.groups > 1 || l.halves[i] == 2*l.played[i] {
		d.High = math.Inf(1)
	}
	return d
}

// Superiority returns the likelihood that one player is stronger than another: ½ if no chain of games connects them.
func (r Ratings) Superiority(i, j int) float64 {
	variance := r.variance(i, j)
	if i == j || r.links.group[i] != r.links.group[j] || !(variance > 0) {
		return 0.5
	}
	return math.Erfc((r.strengths[j]-r.strengths[i])/math.Sqrt(2*variance)) / 2
}

// times is the interval in another unit. An infinite end stays infinite.
func (i Interval) times(unit float64) Interval {
	return i.through(func(x float64) float64 { return x * unit })
}
