package player

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// The table of likelihoods is made by
//
//	go test ./player -run TestLearnHabits -learn-habits likelihood.txt -learn-habits-games 400 -seed 1 -timeout 1h -v
//
// from games of the levels against each other, at 2,000 positions a move; levels that play otherwise
// make another table. It is learned as a logistic regression is: given what the constraints allow,
// with their exact odds as a start, which rank fits what was counted. So what comes together (a piece
// that attacks also goes forward) is not counted twice, which a product of P(move | rank) over the
// moves does: that was tried first, and its log-loss on games of strangers was worse than that of
// the constraints alone.
var (
	learnHabits      = flag.String("learn-habits", "", "file to write new likelihoods to")
	learnHabitsGames = flag.Int("learn-habits-games", 400, "games of each pairing of -learn-habits")
	learnHabitsSkip  = flag.String("learn-habits-skip", "", "level and source of set-ups that -learn-habits must not see")
)

// habitExample is a piece of which somebody has seen something.
type habitExample struct {
	odds   [len(luzhanqi.Ranks)]float32 // by the constraints
	truth  uint8                        // which of luzhanqi.Ranks it is
	fold   uint8
	style  string  // whose piece it is
	weight float64 // so that all styles count alike
	counts []habitCount
}

// habitCount is a measure of the count of an event, numbered as the rows of the table are.
type habitCount struct {
	row   uint16
	value float32
}

// examples takes a game's positions, one of six, as the side to move sees them.
func (g *habitGame) examples(r *rand.Rand, dst []habitExample) []habitExample {
	p := luzhanqi.NewPosition(g.setUps[0], g.setUps[1], false)
	var beliefs [2]*hiddeninfo.Belief
	var seen [2]*Habits
	for side := range game.Side(2) {
		v := p.View(side).(*luzhanqi.View)
		beliefs[side], seen[side] = hiddeninfo.New(v), NewHabits(v)
		seen[side].table = nil
	}
	for _, m := range g.moves {
		p = p.Play(m).(*luzhanqi.Position)
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		if r.IntN(6) > 0 || g.names[side.Other()] == *learnHabitsSkip {
			continue
		}
		v := p.View(side).(*luzhanqi.View)
		b, h := beliefs[side], seen[side]
		b.Update(v)
		h.Update(v)
		for n := range hiddeninfo.Piece(hiddeninfo.Pieces) {
			if b.Hidden()>>n&1 != 0 && b.Mask(n).Len() > 1 {
				e := newHabitExample(b, h, n, g.setUps[side.Other()].At(setUpSquares[n]))
				e.style = g.names[side.Other()]
				dst = append(dst, e)
			}
		}
	}
	return dst
}

func newHabitExample(b *hiddeninfo.Belief, h *Habits, n hiddeninfo.Piece, truth luzhanqi.Rank) habitExample {
	e := habitExample{fold: uint8(foldOf[setUpSquares[n]])}
	for i, rank := range luzhanqi.Ranks {
		e.odds[i] = float32(b.Marginals()[n][rank])
		if rank == truth {
			e.truth = uint8(i)
		}
	}
	for event, count := range h.counts[n] {
		for m := range habitMeasures {
			if count > 0 {
				e.counts = append(e.counts, habitCount{uint16(habitMeasures*event + m), float32(habitMeasured[count][m])})
			}
		}
	}
	return e
}

// tiedColumn is the column whose weights a column shares: that of the higher rank.
func tiedColumn(column int) int {
	switch luzhanqi.Ranks[column] {
	case luzhanqi.BrigadierGeneral, luzhanqi.Major, luzhanqi.Lieutenant:
		return column - 1
	}
	return column
}

const learnRows = habitMeasures*habitEvents + folds

// habitLearner climbs the log-likelihood (Adam). Rows after those of the events are for set-up squares:
// they take up what the prior is to say, and are not written.
type habitLearner struct {
	weights, mean, square, gradient [learnRows][len(luzhanqi.Ranks)]float64
	steps                           int
	loss, before                    float64
}

// balanceStyles gives all styles the same sum of weights.
func balanceStyles(examples []habitExample) {
	of := map[string]int{}
	for i := range examples {
		of[examples[i].style]++
	}
	for i := range examples {
		examples[i].weight = float64(len(examples)) / float64(len(of)*of[examples[i].style])
	}
}

func (l *habitLearner) take(e *habitExample) {
	var p [len(luzhanqi.Ranks)]float64
	rows := append(e.counts[:len(e.counts):len(e.counts)], habitCount{uint16(habitMeasures*habitEvents + int(e.fold)), 1})
	for _, c := range rows {
		for i, w := range &l.weights[c.row] {
			p[i] += float64(c.value) * w
		}
	}
	total := 0.0
	for i := range p {
		p[i] = float64(e.odds[i]) * math.Exp(p[i])
		total += p[i]
	}
	l.loss -= e.weight * math.Log(p[e.truth]/total)
	l.before -= e.weight * math.Log(float64(e.odds[e.truth]))
	var slope [len(luzhanqi.Ranks)]float64
	slope[tiedColumn(int(e.truth))]++
	for i := range p {
		slope[tiedColumn(i)] -= p[i] / total
	}
	for _, c := range rows {
		for i, s := range slope {
			l.gradient[c.row][i] += e.weight * float64(c.value) * s
		}
	}
}

const learnBatch = 1024

func (l *habitLearner) step(rate float64) {
	const towardsZero = 1e-4
	l.steps++
	meanBias, squareBias := 1-math.Pow(0.9, float64(l.steps)), 1-math.Pow(0.999, float64(l.steps))
	for row := range l.weights {
		for i := range l.weights[row] {
			if tiedColumn(i) != i {
				l.weights[row][i] = l.weights[row][i-1]
				continue
			}
			g := l.gradient[row][i]/learnBatch - towardsZero*l.weights[row][i]
			l.mean[row][i] += 0.1 * (g - l.mean[row][i])
			l.square[row][i] += 0.001 * (g*g - l.square[row][i])
			l.weights[row][i] += rate * l.mean[row][i] / meanBias / (math.Sqrt(l.square[row][i]/squareBias) + 1e-8)
		}
	}
	l.gradient = [learnRows][len(luzhanqi.Ranks)]float64{}
}

func TestLearnHabits(t *testing.T) {
	if *learnHabits == "" {
		t.Skip("makes the likelihoods: give -learn-habits")
	}
	r := rand.New(rand.NewPCG(*gateSeed, 11))
	var examples []habitExample
	for _, g := range playAllToLearn(t) {
		examples = g.examples(r, examples)
	}
	balanceStyles(examples)
	l := &habitLearner{}
	const epochs = 5
	for epoch := range epochs {
		l.loss, l.before = 0, 0
		for i, n := range r.Perm(len(examples)) {
			l.take(&examples[n])
			if i%learnBatch == learnBatch-1 {
				l.step(0.02 * math.Pow(0.4, float64(epoch)))
			}
		}
	}
	n := float64(len(examples))
	fmt.Printf("%d examples: constraints %.4f nats, with likelihoods and squares %.4f\n", len(examples), l.before/n, l.loss/n)
	var text strings.Builder
	fmt.Fprintf(&text, "# Weights in hundredths of a nat by rank, 9 to 1, bomb, landmine, flag: a row for each of %d\n"+
		"# set-up squares, then for each measure of each of %d events; made by\n"+
		"# go test ./player -run TestLearnHabits -learn-habits likelihood.txt -learn-habits-games %d -seed %d\n", folds, habitEvents, *learnHabitsGames, *gateSeed)
	for _, row := range fitSetUps() {
		writeHabitRow(&text, func(i int) float64 { return row[luzhanqi.Ranks[i]] })
	}
	for row := range habitMeasures * habitEvents {
		writeHabitRow(&text, func(i int) float64 { return l.weights[row][i] })
	}
	if err := os.WriteFile(*learnHabits, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func writeHabitRow(text *strings.Builder, weight func(column int) float64) {
	for i := range luzhanqi.Ranks {
		if i > 0 {
			text.WriteByte(' ')
		}
		fmt.Fprintf(text, "%d", int(math.Round(100*weight(i))))
	}
	text.WriteByte('\n')
}

// fitSetUps returns the logarithms of the weights of which the exact odds, by folded square and rank,
// are the mean of those of the sources, with a share for a maker of whom nothing is known.
func fitSetUps() (logs [folds][rankCodes]float64) {
	const draws, unknown = 2000, 0.15
	b := hiddeninfo.New(luzhanqi.NewView(game.First, luzhanqi.RandomSetUp(newRand(1)), false))
	goal := *b.Marginals()
	n := 0.0
	var seen hiddeninfo.Marginals
	for i, source := range setUpSources {
		if source.name == *learnHabitsSkip {
			continue
		}
		r := rand.New(rand.NewPCG(*gateSeed, uint64(i)))
		for range draws {
			s := source.draw(r)
			for p, home := range setUpSquares {
				seen[p][s.At(home)]++
				seen[p][s.At(mirrorSquare(home))]++
			}
			n += 2
		}
	}
	for p := range goal {
		for rank := range goal[p] {
			goal[p][rank] = unknown*goal[p][rank] + (1-unknown)*seen[p][rank]/n
		}
		for i, rank := range luzhanqi.Ranks {
			if twin := luzhanqi.Ranks[tiedColumn(i)]; twin != rank {
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
	for p, home := range setUpSquares {
		greatest := 0.0
		for _, x := range w[p] {
			greatest = max(greatest, x)
		}
		for rank, x := range w[p] {
			logs[foldOf[home]][rank] = math.Log(max(x/greatest, 1e-3))
		}
	}
	return logs
}
