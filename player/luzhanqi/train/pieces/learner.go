package main

import (
	"math"
	"math/rand/v2"

	"luzhanqi/player/luzhanqi/likelihood"
)

// weights are learned each at its own rate (Adagrad): the more they have moved, the slower.
type weights struct{ w, moved []float32 }

func newWeights(n int, spread float64, r *rand.Rand) weights {
	all := weights{make([]float32, n), make([]float32, n)}
	for i := range all.w {
		all.w[i], all.moved[i] = float32(r.NormFloat64()*spread), 0.1
	}
	return all
}

func (a *weights) step(i int, rate, slope float32) {
	a.moved[i] += slope * slope
	a.w[i] = min(max(a.w[i]-rate*slope/float32(math.Sqrt(float64(a.moved[i]))), -largest), largest)
}

const (
	largest = 15   // that is kept
	decay   = 1e-6 // of weights, by example
)

// learner is the model as it is learned.
type learner struct {
	units               int
	hidden, out, direct weights
	h, back             []float32 // of the hidden units
	sums                [columns]float32
}

func newLearner(units int, r *rand.Rand) *learner {
	return &learner{
		units: units, h: make([]float32, units), back: make([]float32, units),
		hidden: newWeights(likelihood.Inputs*units, 0.3, r), out: newWeights(units*columns, 0.05, r), direct: newWeights(likelihood.Inputs*columns, 0, r),
	}
}

// counts is how much an example counts: who made many does not drown the others, and whoever plays unlike all others
// counts most.
var counts = map[string]float32{
	"strong": 0.3, "medium": 2, "strong-f665184": 2, "easy": 3, "naive": 3, "greedy": 3, "random": 4, "rush": 3,
	"exchanger": 2, "waiter": 2, "counter": 2, "defender": 2,
}

func weightOf(player string) float32 {
	if w, ok := counts[player]; ok {
		return w
	}
	return 1
}

// odds are the chances of each rank.
func (l *learner) odds(e *example) (p [columns]float64) {
	clear(l.h)
	l.sums = [columns]float32{}
	for _, part := range [2][]input{e.own, e.shared} {
		for _, x := range part {
			for i, w := range l.hidden.w[int(x.number)*l.units:][:l.units] {
				l.h[i] += w * x.value
			}
			for i, w := range l.direct.w[int(x.number)*columns:][:columns] {
				l.sums[i] += w * x.value
			}
		}
	}
	for u, x := range l.h {
		if x < 0 {
			x *= likelihood.Leak
			l.h[u] = x
		}
		for i, w := range l.out.w[u*columns:][:columns] {
			l.sums[i] += w * x
		}
	}
	total := 0.0
	for i := range p {
		p[i] = float64(e.odds[i]) * math.Exp(float64(min(max(l.sums[likelihood.Tied(i)], -8), 8)))
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

// learn moves the weights along the gradient of the log-likelihood.
func (l *learner) learn(e *example, rate float32) {
	p, weight := l.odds(e), weightOf(e.player)
	var slope [columns]float32
	for i := range p {
		slope[likelihood.Tied(i)] += weight * float32(p[i])
	}
	slope[likelihood.Tied(int(e.truth))] -= weight
	for u, x := range l.h {
		l.back[u] = 0
		for i, s := range slope {
			l.back[u] += s * l.out.w[u*columns+i]
			l.out.step(u*columns+i, rate, s*x)
		}
		if x < 0 {
			l.back[u] *= likelihood.Leak
		}
	}
	for _, part := range [2][]input{e.own, e.shared} {
		for _, x := range part {
			first := int(x.number) * l.units
			for u, b := range l.back {
				l.hidden.step(first+u, rate, b*x.value+decay*l.hidden.w[first+u])
			}
			for i, s := range slope {
				if likelihood.Tied(i) == i {
					at := int(x.number)*columns + i
					l.direct.step(at, rate, s*x.value+decay*l.direct.w[at])
				}
			}
		}
	}
}
