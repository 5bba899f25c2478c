package tune

import (
	"math"
	"slices"
)

// spsa is simultaneous perturbation stochastic approximation (Spall 1992) as fishtest plays it
// (https://github.com/official-stockfish/fishtest): in a round all numbers are varied at once, each up or down by its step, and the
// player with the variation meets the one with its opposite. Each number then moves towards the side that won more.
//
// k counts pairs, A is a tenth of all: the step of a number in a round is c(k) = step (N/k)^γ, and a win moves it by
// rate·step·((A+N)/(A+k))^α·(step/c(k)), which at the end is rate·step.
type spsa struct {
	numbers []Number
	pairs   int // in all rounds
	batch   int // pairs of a round
	rate    float64
	seed    uint64
}

// Spall's exponents.
const (
	alpha = 0.602
	gamma = 0.101
)

// A round is what its two players have: theta with the variation, and with its opposite.
type round struct {
	signs       []float64
	plus, minus []float64
}

// play makes round r, from 1, at theta.
func (s *spsa) play(r int, theta []float64) round {
	random := chance(s.seed, r)
	p := round{}
	for i := range s.numbers {
		n := &s.numbers[i]
		sign := float64(2*random.IntN(2) - 1)
		draw := random.Float64()
		c := s.step(n, r)
		p.signs = append(p.signs, sign)
		p.plus, p.minus = append(p.plus, n.at(theta[i]+c*sign, draw)), append(p.minus, n.at(theta[i]-c*sign, draw))
	}
	return p
}

// step is by how much a number is varied in round r.
func (s *spsa) step(n *Number, r int) float64 {
	return n.Step * math.Pow(float64(s.pairs)/float64(min(r*s.batch, s.pairs)), gamma)
}

// move is theta after a round in which the variation won so many games more than it lost.
func (s *spsa) move(r int, theta []float64, p round, won int) []float64 {
	next := slices.Clone(theta)
	k, all := float64(min(r*s.batch, s.pairs)), float64(s.pairs)
	a := all / 10
	for i := range s.numbers {
		n := &s.numbers[i]
		gain := s.rate * n.Step * math.Pow((a+all)/(a+k), alpha) * n.Step / s.step(n, r)
		next[i] = n.clip(theta[i] + gain*float64(won)*p.signs[i])
	}
	return next
}

// settled is what the numbers are said to be: the mean of the last quarter of the rounds, which is steadier than the last.
func settled(path [][]float64) []float64 {
	last := path[len(path)-max(1, len(path)/4):]
	mean := make([]float64, len(path[0]))
	for _, theta := range last {
		for i, x := range theta {
			mean[i] += x / float64(len(last))
		}
	}
	return mean
}
