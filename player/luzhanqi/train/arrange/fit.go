package main

import (
	"math"
	"math/rand/v2"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
)

// squares are those of one side, A1 to E6.
const squares = 30

// played is what one game says.
type played struct {
	setUp   rules.SetUp // with its flag on the left
	against string
	points  float64
}

// worths are what a rank on a square is worth, in points of a game, beyond what it is on others; by the code of the rank.
type worths [16][squares]float64

// of is what a set-up is worth.
func (w *worths) of(s rules.SetUp) (sum float64) {
	for sq := range game.Square(squares) {
		if rank := s.At(sq); rank != rules.None {
			sum += w[rank&15][sq]
		}
	}
	return sum
}

const (
	noise = 0.18          // variance of the points of a game
	doubt = 0.015 * 0.015 // of a worth, before any game is seen
)

// fit finds the worths by ridge regression. Each opponent has a mean of its own. One worth is changed at a time, until none
// changes any more, or for 200 rounds, of which some twenty are enough.
func fit(games []played) *worths {
	w := &worths{}
	left := beyondMean(games) // that the worths do not explain, by game
	var with [16][squares][]int32
	for i, g := range games {
		for sq := range game.Square(squares) {
			if rank := g.setUp.At(sq); rank != rules.None {
				with[rank&15][sq] = append(with[rank&15][sq], int32(i))
			}
		}
	}
	for range 200 {
		most := 0.0
		for rank := range with {
			for sq, of := range with[rank] {
				if len(of) == 0 || len(of) == len(games) { // nobody stands elsewhere
					continue
				}
				sum, now := 0.0, w[rank][sq]
				for _, i := range of {
					sum += left[i]
				}
				change := (sum+float64(len(of))*now)/(float64(len(of))+noise/doubt) - now
				w[rank][sq] += change
				for _, i := range of {
					left[i] -= change
				}
				most = max(most, math.Abs(change))
			}
		}
		if most < 1e-5 {
			break
		}
	}
	return w
}

// beyondMean is by how much each game has more points than the others against the same opponent.
func beyondMean(games []played) []float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for _, g := range games {
		sum[g.against] += g.points
		n[g.against]++
	}
	left := make([]float64, len(games))
	for i, g := range games {
		left[i] = g.points - sum[g.against]/n[g.against]
	}
	return left
}

// split keeps about every tenth game apart, by chance.
func split(games []played, seed uint64) (known, held []played) {
	r := rand.New(rand.NewPCG(seed, 6))
	for _, g := range games {
		if r.IntN(10) == 0 {
			held = append(held, g)
		} else {
			known = append(known, g)
		}
	}
	return known, held
}

// foretells is how many points more come for each that is foretold of games, and the standard error of that.
func (w *worths) foretells(games []played) (slope, deviation float64) {
	y := beyondMean(games)
	x, mean := make([]float64, len(games)), 0.0
	for i, g := range games {
		x[i] = w.of(g.setUp)
		mean += x[i] / float64(len(games))
	}
	both, square, rest := 0.0, 0.0, 0.0
	for i := range x {
		x[i] -= mean
		both += x[i] * y[i]
		square += x[i] * x[i]
	}
	if square == 0 {
		return 0, math.Inf(1)
	}
	slope = both / square
	for i := range x {
		rest += (y[i] - slope*x[i]) * (y[i] - slope*x[i])
	}
	return slope, math.Sqrt(rest / float64(max(len(x)-2, 1)) / square)
}
