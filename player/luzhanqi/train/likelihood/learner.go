package main

import (
	"math"
	"math/rand/v2"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/tables"
)

const columns = len(rules.Ranks)

// homes are the initial squares of the pieces, in their owner's frame.
var homes = func() (squares []game.Square) {
	for sq := range (rules.OwnHalf &^ rules.Camps).All() {
		squares = append(squares, sq)
	}
	return squares
}()

func home(p hiddeninfo.Piece) game.Square { return homes[p] }

// example is a piece of which somebody has seen something.
type example struct {
	odds     [columns]float64 // by the constraints and the makers
	truth    int              // which of the ranks it is
	fold     int              // where it was set up
	style    string           // whose piece it is
	weight   float64          // so that all styles count alike
	measures []likelihood.Measure
}

func newExample(b *hiddeninfo.Belief, n hiddeninfo.Piece, truth rules.Rank) example {
	e := example{fold: likelihood.Fold(home(n))}
	for i, rank := range rules.Ranks {
		e.odds[i] = b.Marginals()[n][rank]
		if rank == truth {
			e.truth = i
		}
	}
	return e
}

// balance gives all styles the same sum of weights.
func balance(examples []example) {
	of := map[string]int{}
	for i := range examples {
		of[examples[i].style]++
	}
	for i := range examples {
		examples[i].weight = float64(len(examples)) / float64(len(of)*of[examples[i].style])
	}
}

// tied is the column whose weights a column shares: that of the higher rank.
func tied(column int) int {
	switch rules.Ranks[column] {
	case rules.BrigadierGeneral, rules.Major, rules.Lieutenant:
		return column - 1
	}
	return column
}

const rows = likelihood.EventRows + likelihood.Folds

// learner climbs the log-likelihood (Adam). Rows after those of the events are for set-up squares: they
// take up what the prior is to say, and are not written.
type learner struct {
	weights, mean, square, gradient [rows][columns]float64
	steps                           int
	loss, before                    float64 // of the last epoch, and by the odds that it starts from
}

const batch = 1024

func (l *learner) learn(examples []example, r *rand.Rand) {
	const epochs = 5
	for epoch := range epochs {
		l.loss, l.before = 0, 0
		for i, n := range r.Perm(len(examples)) {
			l.take(&examples[n])
			if i%batch == batch-1 {
				l.step(0.02 * math.Pow(0.4, float64(epoch)))
			}
		}
	}
}

func (l *learner) take(e *example) {
	var p [columns]float64
	all := append(e.measures[:len(e.measures):len(e.measures)], likelihood.Measure{Row: likelihood.EventRows + e.fold, Value: 1})
	for _, c := range all {
		for i, w := range &l.weights[c.Row] {
			p[i] += c.Value * w
		}
	}
	total := 0.0
	for i := range p {
		p[i] = e.odds[i] * math.Exp(p[i])
		total += p[i]
	}
	l.loss -= e.weight * math.Log(p[e.truth]/total)
	l.before -= e.weight * math.Log(e.odds[e.truth])
	var slope [columns]float64
	slope[tied(e.truth)]++
	for i := range p {
		slope[tied(i)] -= p[i] / total
	}
	for _, c := range all {
		for i, s := range slope {
			l.gradient[c.Row][i] += e.weight * c.Value * s
		}
	}
}

func (l *learner) step(rate float64) {
	const towardsZero = 1e-4
	l.steps++
	meanBias, squareBias := 1-math.Pow(0.9, float64(l.steps)), 1-math.Pow(0.999, float64(l.steps))
	for row := range l.weights {
		for i := range l.weights[row] {
			if tied(i) != i {
				l.weights[row][i] = l.weights[row][i-1]
				continue
			}
			g := l.gradient[row][i]/batch - towardsZero*l.weights[row][i]
			l.mean[row][i] += 0.1 * (g - l.mean[row][i])
			l.square[row][i] += 0.001 * (g*g - l.square[row][i])
			l.weights[row][i] += rate * l.mean[row][i] / meanBias / (math.Sqrt(l.square[row][i]/squareBias) + 1e-8)
		}
	}
	l.gradient = [rows][columns]float64{}
}

// fitSetUps returns the logarithms of the weights of which the exact odds, by folded square and rank,
// are the mean of those of the sources, with a share for a maker of whom nothing is known.
func (c *command) fitSetUps() (logs [likelihood.Folds][tables.RankCodes]float64) {
	const draws, unknown = 2000, 0.15
	b := hiddeninfo.New(rules.NewView(game.First, rules.RandomSetUp(rand.New(rand.NewPCG(1, 9))), false))
	goal := *b.Marginals()
	n := 0.0
	var seen hiddeninfo.Marginals
	for i, source := range sources {
		if source.name == c.Skip {
			continue
		}
		r := rand.New(rand.NewPCG(c.Seed, uint64(i)))
		for range draws {
			s := source.draw(r)
			for p, home := range homes {
				seen[p][s.At(home)]++
				seen[p][s.At(likelihood.Mirror(home))]++
			}
			n += 2
		}
	}
	for p := range goal {
		for rank := range goal[p] {
			goal[p][rank] = unknown*goal[p][rank] + (1-unknown)*seen[p][rank]/n
		}
		for i, rank := range rules.Ranks {
			if twin := rules.Ranks[tied(i)]; twin != rank {
				mean := (goal[p][rank] + goal[p][twin]) / 2
				goal[p][rank], goal[p][twin] = mean, mean
			}
		}
	}
	w := hiddeninfo.Uniform()
	for range 60 { // each brings the odds nearer to the goal
		b.SetPrior(w)
		odds := b.Marginals()
		next := *w
		for p := range next {
			for rank, goal := range goal[p] {
				if odds[p][rank] > 0 {
					next[p][rank] *= goal / odds[p][rank]
				}
			}
		}
		w = &next
	}
	for p, home := range homes {
		greatest := 0.0
		for _, x := range w[p] {
			greatest = max(greatest, x)
		}
		for rank, x := range w[p] {
			logs[likelihood.Fold(home)][rank] = math.Log(max(x/greatest, 1e-3))
		}
	}
	return logs
}
