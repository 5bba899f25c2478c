package rating

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Model is the scale on which the hypotheses of a test are stated.
type Model uint8

// The models.
const (
	Logistic   Model = iota // Elo as everybody means it
	Normalized              // by the deviation of a game: the test takes as long however many games are drawn
)

var modelNames = [...]string{Logistic: "logistic", Normalized: "normalized"}

func (m Model) String() string { return modelNames[m] }

// ParseModel reads a name.
func ParseModel(text string) (Model, error) {
	for m, name := range modelNames {
		if name == text {
			return Model(m), nil
		}
	}
	return 0, fmt.Errorf("model %.30q: allowed are %s", text, strings.Join(modelNames[:], " and "))
}

// maxElo bounds the hypotheses: beyond it the likeliest distributions cannot be told from certainty.
var maxElo = [...]float64{Logistic: 1000, Normalized: 200}

// Decision is the state of a test.
type Decision uint8

// The decisions.
const (
	Continue Decision = iota // play on
	AcceptH0                 // the difference is not more than elo0
	AcceptH1                 // it is not less than elo1
)

func (d Decision) String() string {
	return [...]string{Continue: "continue", AcceptH0: "H0 accepted", AcceptH1: "H1 accepted"}[d]
}

// SPRT is a sequential probability ratio test of H0, the difference is elo0, against H1, it is elo1,
// that may be looked at after every pair: it wrongly accepts H1 with probability alpha if H0 holds,
// and H0 with probability beta if H1 does. In between it is as likely to accept either as the
// difference is near it.
//
// It is the generalized test: the ratio of the likelihoods of the likeliest distributions that have
// the one and the other difference, so that the share of draws and how much the games of a pair
// depend on each other are estimated along with it (Van den Bergh, "Comparing the approximations
// for the generalized log likelihood ratio of a multinomial distribution", and section 4.1 of
// "Comments on normalized Elo", https://www.cantate.be/Fishtest/). That it estimates makes it err a
// little more often, and that it overshoots its bounds a little less often: in matches simulated with
// alpha = beta = 0.05, from [0, 20] to [0, 100], 4.3 to 5.4 % of all decisions were wrong.
type SPRT struct {
	elo0, elo1   float64
	lower, upper float64
	alpha, beta  float64
	model        Model
}

// NewSPRT is a test.
func NewSPRT(elo0, elo1, alpha, beta float64, model Model) (SPRT, error) {
	var t SPRT
	if int(model) >= len(modelNames) {
		return t, fmt.Errorf("model %d does not exist", model)
	}
	limit := maxElo[model]
	for _, elo := range []float64{elo0, elo1} {
		if !(elo >= -limit && elo <= limit) {
			return t, fmt.Errorf("difference %v: allowed are -%v to %v %s Elo", elo, limit, limit, model)
		}
	}
	if elo1-elo0 < 0.001 {
		return t, fmt.Errorf("elo0 %v and elo1 %v: elo1 must be greater, by 0.001 at least", elo0, elo1)
	}
	for _, p := range []float64{alpha, beta} {
		if !(p >= 1e-9 && p < 0.5) {
			return t, fmt.Errorf("error probability %v: allowed are 1e-9 to below 0.5", p)
		}
	}
	return SPRT{
		elo0: elo0, elo1: elo1, alpha: alpha, beta: beta, model: model,
		lower: math.Log(beta / (1 - alpha)), upper: math.Log((1 - beta) / alpha),
	}, nil
}

// ParseHypotheses reads elo0,elo1, such as 0,10 or -2.5,2.5.
func ParseHypotheses(text string) (elo0, elo1 float64, err error) {
	first, second, ok := strings.Cut(text, ",")
	if ok {
		var err0, err1 error
		elo0, err0 = strconv.ParseFloat(strings.TrimSpace(first), 64)
		elo1, err1 = strconv.ParseFloat(strings.TrimSpace(second), 64)
		err = errors.Join(err0, err1)
	}
	if !ok || err != nil {
		return 0, 0, fmt.Errorf("hypotheses %.30q: must be two differences in Elo, such as 0,10", text)
	}
	return elo0, elo1, nil
}

// Hypotheses are elo0 and elo1.
func (t SPRT) Hypotheses() (elo0, elo1 float64) { return t.elo0, t.elo1 }

// Bounds are the log-likelihood ratios at and below which H0 is accepted, and at and above which H1 is.
func (t SPRT) Bounds() (lower, upper float64) { return t.lower, t.upper }

func (t SPRT) String() string {
	return fmt.Sprintf("SPRT [%v, %v] %s Elo, alpha %v, beta %v", t.elo0, t.elo1, t.model, t.alpha, t.beta)
}

// Decide says what a log-likelihood ratio decides.
func (t SPRT) Decide(llr float64) Decision {
	switch {
	case llr <= t.lower:
		return AcceptH0
	case llr >= t.upper:
		return AcceptH1
	}
	return Continue
}

// unseen is the count of a result that has not occurred: it can still occur. fishtest and fastchess use the same
// number.
const unseen = 1e-3

// LLR is the log-likelihood ratio of H1 to H0. It is 0 as long as nothing was observed.
func (t SPRT) LLR(c Counts) float64 {
	s := c.sample()
	if s.total() == 0 {
		return 0
	}
	for i := range s.kinds {
		if s.counts[i] == 0 {
			s.counts[i] = unseen
		}
	}
	d := s.shares()
	var h0, h1 distribution
	switch t.model {
	case Logistic:
		h0, h1 = d.withMean(Score(t.elo0)), d.withMean(Score(t.elo1))
	case Normalized:
		unit := math.Sqrt(float64(s.games)) / normalizing
		h0, h1 = d.withT(t.elo0*unit), d.withT(t.elo1*unit)
	}
	llr := 0.0
	for i := range s.kinds {
		llr += s.counts[i] * math.Log(h1.p[i]/h0.p[i])
	}
	return llr
}

// withMean is the distribution with that mean under which the observed one is likeliest.
func (d *distribution) withMean(mean float64) distribution {
	var off [5]float64
	for i := range d.kinds {
		off[i] = d.score[i] - mean
	}
	return d.tilted(&off)
}

// withT is the distribution with that t-value, (mean − ½)/deviation, under which the observed one is
// likeliest. The condition is not linear, so it is replaced by its tangent at the last guess until
// nothing changes: mostly ten rounds from equal probabilities, and a few hundred in odd cases.
func (d *distribution) withT(t float64) distribution {
	guess := *d
	for i := range d.kinds {
		guess.p[i] = 1 / float64(d.kinds)
	}
	for range 1000 {
		mean := guess.mean()
		deviation := math.Sqrt(guess.moment(2, mean))
		var off [5]float64
		for i := range d.kinds {
			z := (d.score[i] - mean) / deviation
			off[i] = d.score[i] - 0.5 - t*deviation*(1+z*z)/2
		}
		next := d.tilted(&off)
		change := 0.0
		for i := range d.kinds {
			change = max(change, math.Abs(next.p[i]-guess.p[i]))
		}
		guess = next
		if change < 1e-12 {
			break
		}
	}
	return guess
}

// tilted is the likeliest distribution under which the mean of off is zero: p/(1 + x·off), with the
// one x that makes it so. Some of off must be positive and some negative, and no p zero.
//
// x lies between the two values that make a denominator zero, and may be so near to one of them that
// it cannot be told from it. So the unknown is its distance y from the one that lies on its side of 0:
// the denominators are rest + y·off, with the rests known beforehand, one of them being exactly zero.
func (d *distribution) tilted(off *[5]float64) distribution {
	mean := 0.0
	edge := off[0] // of those on the other side of 0 than the mean, the farthest
	for i := range d.kinds {
		mean += d.p[i] * off[i]
	}
	for _, o := range off[:d.kinds] {
		if mean > 0 && o < edge || mean <= 0 && o > edge {
			edge = o
		}
	}
	var rest, slope [5]float64
	for i := range d.kinds {
		rest[i], slope[i] = 1-off[i]/edge, off[i]/edge
	}
	low, high := 0.0, 1.0 // y/edge; at 1 nothing is tilted
	y := 1.0
	for range 200 {
		value, change := 0.0, 0.0
		for i := range d.kinds {
			part := slope[i] / (rest[i] + y*slope[i])
			value += d.p[i] * part
			change -= d.p[i] * part * part
		}
		if value > 0 { // it falls from +∞ at 0
			low = y
		} else {
			high = y
		}
		next := y - value/change // Newton's step, or half the way where that leads out
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-y) <= 1e-15*y {
			break
		}
		y = next
	}
	tilted := *d
	for i := range d.kinds {
		tilted.p[i] = d.p[i] / (rest[i] + y*slope[i])
	}
	return tilted
}

// Expect says how long the test will take, in games, and how likely it then accepts H1, if the true
// difference is elo (in the test's model). variance is that of the score of one game, as in
// Estimate; one below 1e-9 says nothing and counts as ¼, that of games without draws.
//
// The log-likelihood ratio is taken for a Brownian motion, as Wald did: exact for small hypotheses;
// otherwise the test takes a little longer.
func (t SPRT) Expect(elo, variance float64) (games, accept float64) {
	if !(variance >= 1e-9) {
		variance = 0.25
	}
	s0, s1, s := t.score(t.elo0, variance), t.score(t.elo1, variance), t.score(elo, variance)
	drift := (s - (s0+s1)/2) * (s1 - s0) / variance
	diffusion := (s1 - s0) * (s1 - s0) / variance
	width := t.upper - t.lower
	k := 2 * drift / diffusion
	if math.Abs(k*width) < 1e-6 { // no drift: the limit of what follows
		return -t.lower * t.upper / diffusion, -t.lower / width
	}
	// exp(-k·LLR) is a martingale, which gives the probability to leave above; of its two forms each
	// is the one that cannot become Inf/Inf.
	if k > 0 {
		accept = math.Expm1(k*t.lower) / math.Expm1(-k*width)
	} else {
		accept = -math.Expm1(-k*t.lower) / (math.Exp(-k*t.upper) - math.Exp(-k*t.lower))
	}
	return (t.upper*accept + t.lower*(1-accept)) / drift, accept
}

// score is the mean score at a difference in the test's model.
func (t SPRT) score(elo, variance float64) float64 {
	if t.model == Normalized {
		return 0.5 + elo/normalizing*math.Sqrt(variance)
	}
	return Score(elo)
}
