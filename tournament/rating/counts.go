// Package rating says what the results of a match between two players are worth: how far apart the
// players are, how sure that is, and whether a question asked beforehand is answered.
//
// [Tally] collects the results of a match as its games end. [Games] and [Pairs] are counts that
// are evidence: [NewEstimate] estimates the difference with its interval, and [SPRT] decides between
// two hypotheses while the match is still running.
//
// Pairs are the better evidence. Both games of a pair begin from the same two set-ups with the
// seats swapped, so their results are not independent. Counting them as if they were makes the
// error too large where lucky set-ups cancel, too small where the same mistake is made twice.
//
// The statistics are those that chess programs are tested with, so that numbers can be compared; the
// tests hold them to published results of fishtest, fastchess and Cute Chess. Nothing here is ever
// NaN: what no finite number says is an explicit infinity. [Fit] rates many players at once, by the model of
// Bradley and Terry with draws and the advantage of the first move.
package rating

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Counts is evidence on two players: Games or Pairs.
type Counts interface {
	// Swapped is the same match from the other player's side.
	Swapped() Counts
	sample() sample
}

// Games counts the games of a match by their results, from the first player's side (trinomial).
type Games struct{ Wins, Draws, Losses int }

// Pairs counts the pairs of a match by the first player's points in both games: 0, ½, 1, 1½ and 2
// (pentanomial).
type Pairs [5]int

func (g Games) Total() int { return g.Wins + g.Draws + g.Losses }
func (p Pairs) Total() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

func (g Games) Swapped() Counts { return Games{g.Losses, g.Draws, g.Wins} }
func (p Pairs) Swapped() Counts { return Pairs{p[4], p[3], p[2], p[1], p[0]} }

// String is the counts as ParsePairs reads them.
func (p Pairs) String() string {
	return fmt.Sprintf("%d,%d,%d,%d,%d", p[0], p[1], p[2], p[3], p[4])
}

// maxCount is the greatest count that is read: sums of five stay exact in float64.
const maxCount = 1e12

// ParsePairs reads five counts such as 50,287,610,387,73, also with blanks between them.
func ParsePairs(text string) (p Pairs, err error) {
	fields := strings.Split(text, ",")
	if len(fields) != len(p) {
		return Pairs{}, fmt.Errorf("pairs %.60q: found %d counts, must be five: of pairs with 0, ½, 1, 1½ and 2 points, such as 3,5,14,6,2", text, len(fields))
	}
	for i, field := range fields {
		if p[i], err = ParseCount(strings.TrimSpace(field)); err != nil {
			return Pairs{}, fmt.Errorf("pairs %.60q: %w", text, err)
		}
	}
	return p, nil
}

// ParseCount reads how often something happened: decimal digits only.
func ParseCount(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n > maxCount {
		return 0, fmt.Errorf("count %.30q: allowed are whole numbers from 0 to %.0f", text, float64(maxCount))
	}
	return int(n), nil
}

// sample holds counts for the statistics: observations of a score between 0 and 1, in equal
// steps; the score of a pair is the mean of its games'.
type sample struct {
	counts [5]float64
	kinds  int // 3 or 5
	games  int // in an observation
}

func (g Games) sample() sample {
	return sample{counts: [5]float64{float64(g.Losses), float64(g.Draws), float64(g.Wins)}, kinds: 3, games: 1}
}

func (p Pairs) sample() sample {
	s := sample{kinds: 5, games: 2}
	for i, n := range p {
		s.counts[i] = float64(n)
	}
	return s
}

// total is the number of observations.
func (s *sample) total() (n float64) {
	for _, count := range s.counts {
		n += count
	}
	return n
}

// score returns the score of the observations of a kind.
func (s *sample) score(kind int) float64 { return float64(kind) / float64(s.kinds-1) }

// shares divides the counts by their total, which must be positive.
func (s *sample) shares() distribution {
	d := distribution{kinds: s.kinds}
	n := s.total()
	for i := range s.kinds {
		d.score[i], d.p[i] = s.score(i), s.counts[i]/n
	}
	return d
}

// distribution is probabilities of scores.
type distribution struct {
	kinds    int
	score, p [5]float64
}

func (d *distribution) mean() (mean float64) {
	for i := range d.kinds {
		mean += d.p[i] * d.score[i]
	}
	return mean
}

// moment is the n-th one about a value.
func (d *distribution) moment(n int, about float64) (m float64) {
	for i := range d.kinds {
		m += d.p[i] * math.Pow(d.score[i]-about, float64(n))
	}
	return m
}
