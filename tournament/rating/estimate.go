package rating

import "math"

// Interval is an estimate with its 95 % interval. Any of the three can be infinite; none is NaN.
type Interval struct{ Value, Low, High float64 }

// Error is half the interval's width, which is what people write after ±. On a scale that is not
// linear the ends are not equally far from the value.
func (i Interval) Error() float64 {
	if i.Low == i.High { // Inf − Inf is no number
		return 0
	}
	return (i.High - i.Low) / 2
}

func (i Interval) through(f func(float64) float64) Interval {
	return Interval{f(i.Value), f(i.Low), f(i.High)}
}

// Estimate is the difference between two players as counts show it, from the first one's side.
type Estimate struct {
	Games int      // that were counted
	Score Interval // mean points a game, 0 to 1
	Elo   Interval // logistic: a player with +400 Elo gets 10 points for each one of the other
	// Normalized is the normalized Elo: how far the mean score is from ½ in standard deviations of
	// one game, times 800/ln 10. Unlike Elo it says how many games it takes to prove the difference.
	Normalized  Interval
	Superiority float64 // likelihood that the first player is the stronger one
	Variance    float64 // of the score of one game; of pairs, of one game's share in it
}

// quantile cuts off 2.5 % of a normal distribution above it.
const quantile = 1.959963984540054

// normalizing turns (mean − ½)/deviation into normalized Elo: it makes the two kinds of Elo alike
// where no game is drawn and the difference is small.
const normalizing = 800 / math.Ln10

// NewEstimate estimates the difference.
//
// The intervals are the normal approximation, from the variance that was observed, as fishtest and
// others print them; an end beyond 0 or 1 point a game is cut there and means infinite Elo.
//
// If all observations had the same score (a single one, or nothing but wins), the variance is zero,
// which proves nothing. Then the ends are the least and the greatest true mean with which n such
// observations in a row still have a probability of 2.5 %, whatever else could have happened; the
// likelihood of superiority is that of n wins in a row, 1 − 2^−(n+1); and the normalized Elo has no
// bounds. Nothing but wins is infinite Elo. No observation at all is 0 Elo, without bounds.
func NewEstimate(c Counts) Estimate {
	s := c.sample()
	n := s.total()
	e := Estimate{
		Games: int(n) * s.games, Score: Interval{0.5, 0, 1}, Superiority: 0.5,
		Normalized: Interval{0, math.Inf(-1), math.Inf(1)},
	}
	if n > 0 {
		d := s.shares()
		mean := d.mean()
		variance := d.moment(2, mean)
		if d.unanimous() {
			e.Score = unanimousScore(mean, n)
			e.Superiority = unanimousSuperiority(mean, n)
			if mean != 0.5 {
				e.Normalized.Value = math.Inf(int(math.Copysign(1, mean-0.5)))
			}
		} else {
			deviation := math.Sqrt(variance / n)
			e.Score = Interval{mean, max(mean-quantile*deviation, 0), min(mean+quantile*deviation, 1)}
			e.Superiority = math.Erfc((0.5-mean)/deviation/math.Sqrt2) / 2
			e.Normalized = d.normalized(mean, variance, n, s.games)
			e.Variance = variance * float64(s.games)
		}
	}
	e.Elo = e.Score.through(Elo)
	return e
}

// Elo is the logistic difference at which a score is expected: infinite at 0 and 1.
func Elo(score float64) float64 { return 400 * (math.Log10(score) - math.Log10(1-score)) }

// Score is the score that is expected at a logistic difference.
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

func (d *distribution) unanimous() bool {
	kinds := 0
	for _, p := range d.p {
		if p > 0 {
			kinds++
		}
	}
	return kinds == 1
}

// unanimousScore is the interval of a mean when all of n observations were equal to it. A mean below
// it is likeliest to bring them about when all else is a loss, one above when all else is a win.
func unanimousScore(score, n float64) Interval {
	p := math.Pow(0.025, 1/n)
	return Interval{score, p * score, 1 - p*(1-score)}
}

func unanimousSuperiority(score, n float64) float64 {
	less := math.Exp2(-n - 1)
	switch {
	case score > 0.5:
		return 1 - less
	case score < 0.5:
		return less
	}
	return 0.5
}

// normalized is the normalized Elo. Its error takes in that the deviation, by which it divides, is
// itself an estimate: with skewness and kurtosis the variance of a t-value is
// 1 − t·skewness + t²(excess + 2)/4 (the delta method; fishtest does the same).
func (d *distribution) normalized(mean, variance, n float64, games int) Interval {
	deviation := math.Sqrt(variance)
	t := (mean - 0.5) / deviation
	skewness := d.moment(3, mean) / (variance * deviation)
	excess := d.moment(4, mean)/(variance*variance) - 3
	spread := math.Sqrt(max(1-t*skewness+t*t*(excess+2)/4, 0) / n)
	unit := normalizing / math.Sqrt(float64(games))
	return Interval{unit * t, unit * (t - quantile*spread), unit * (t + quantile*spread)}
}
