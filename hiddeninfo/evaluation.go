package hiddeninfo

import (
	"fmt"
	"math"
	"strings"

	"luzhanqi/game/luzhanqi"
)

// NoBelief is the baseline of all beliefs: every piece has each rank as often as an army does.
func NoBelief() *Marginals {
	var m Marginals
	for p := range m {
		for _, rank := range luzhanqi.Ranks {
			m[p][rank] = float64(luzhanqi.Count(rank)) / Pieces
		}
	}
	return &m
}

// minP replaces a probability of zero that turns out true: a loss of 27.6 nats, which
// shows, but leaves a mean that can be compared.
const minP = 1e-12

// LogLoss returns the mean of −ln P(true rank), in nats, over the pieces whose bits are set; zero
// for none. Zero is certainty.
func LogLoss(m *Marginals, truth *World, pieces uint32) float64 {
	var e Evaluation
	e.Add(m, truth, pieces)
	return e.LogLoss()
}

// Hidden returns the pieces on which a belief is evaluated, as bits: the living ones but a shown flag. It does
// not depend on opinions, so that different beliefs about one game are evaluated on the same pieces.
func (b *Belief) Hidden() uint32 {
	hidden := b.enemies().alive
	for p, mask := range b.enemies().facts[shown] {
		if mask == Only(luzhanqi.Flag) {
			hidden &^= 1 << p
		}
	}
	return hidden
}

const bins = 20

// Bin sums up the predictions of about the same probability that were not certain.
type Bin struct {
	Predicted   float64 `json:"predicted"` // mean probability
	Happened    float64 `json:"happened"`  // share that came true
	Predictions int     `json:"predictions"`
}

// Evaluation adds up how good marginals were, over any number of positions. The zero value is
// ready. One goroutine may use it at a time; Merge adds up those of several.
type Evaluation struct {
	pieces   int
	loss     float64
	excluded int
	bins     [bins]bin
}

// bin holds the sums behind a Bin.
type bin struct {
	predictions int
	predicted   float64 // sum
	happened    int
}

// Add evaluates the marginals of the pieces whose bits are set.
func (e *Evaluation) Add(m *Marginals, truth *World, pieces uint32) {
	for p := range m {
		if pieces>>p&1 == 0 {
			continue
		}
		e.pieces++
		e.loss -= math.Log(max(m[p][truth[p]], minP))
		if m[p][truth[p]] == 0 {
			e.excluded++
		}
		for _, rank := range luzhanqi.Ranks {
			chance := m[p][rank]
			if chance == 0 || chance >= 1 { // certain: a count by itself, see Excluded
				continue
			}
			b := &e.bins[min(int(chance*bins), bins-1)]
			b.predictions++
			b.predicted += chance
			if truth[p] == rank {
				b.happened++
			}
		}
	}
}

// Pieces returns how many pieces were evaluated.
func (e *Evaluation) Pieces() int { return e.pieces }

// Excluded is how many pieces had a rank that was called impossible.
func (e *Evaluation) Excluded() int { return e.excluded }

// LogLoss is the mean in nats a piece; zero for none.
func (e *Evaluation) LogLoss() float64 {
	if e.pieces == 0 {
		return 0
	}
	return e.loss / float64(e.pieces)
}

// CalibrationError is the mean distance between what was predicted and what happened, over the
// predictions that were not certain.
func (e *Evaluation) CalibrationError() float64 {
	n, distance := 0, 0.0
	for _, b := range e.bins {
		n += b.predictions
		distance += math.Abs(b.predicted - float64(b.happened))
	}
	if n == 0 {
		return 0
	}
	return distance / float64(n)
}

// Bins is the calibration table, by rising probability, without bins that have no prediction.
func (e *Evaluation) Bins() []Bin {
	var all []Bin
	for _, b := range e.bins {
		if b.predictions > 0 {
			n := float64(b.predictions)
			all = append(all, Bin{Predicted: b.predicted / n, Happened: float64(b.happened) / n, Predictions: b.predictions})
		}
	}
	return all
}

// String is the calibration table for people.
func (e *Evaluation) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d pieces, %.4f nats each, %d excluded, calibration error %.4f\n", e.pieces, e.LogLoss(), e.excluded, e.CalibrationError())
	s.WriteString("predicted  happened  predictions\n")
	for _, b := range e.Bins() {
		fmt.Fprintf(&s, "%9.4f %9.4f %12d\n", b.Predicted, b.Happened, b.Predictions)
	}
	return s.String()
}
