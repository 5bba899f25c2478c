package player

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// The network is made by
//
//	go test ./player -run TestTrain -train network.txt -seed 11 -v -timeout 0
//
// which plays games of quick searches by hidden information from varied set-ups, some of them with
// random moves between, and fits the network to how they ended. One game in twenty is kept apart.
// The games are those of today's search, so a network does not come out the same after it changed.
var (
	train       = flag.String("train", "", "file to write a new network to")
	trainGames  = flag.Int("train-games", 13961, "games of -train")
	trainNodes  = flag.Int("train-nodes", 1500, "nodes a move of -train")
	trainRate   = flag.Float64("train-rate", 0.004, "learning rate of -train")
	trainDecay  = flag.Float64("train-decay", 0.01, "decay of weights of -train")
	trainEpochs = flag.Int("train-epochs", 5, "epochs of -train")
)

// sample is one position from one side, with the points that side got in the end.
type sample struct {
	rows   [50]int16
	n      int
	terms  [netTerms]float32
	hand   float32 // what the handmade evaluation says
	points float32
}

// selfPlay plays one game and returns its positions, by both sides, in pairs.
func selfPlay(seed uint64) []sample {
	r := rand.New(rand.NewPCG(seed, 77))
	quick := strong
	quick.worlds, quick.workers = 8, 1
	var players [2]Player
	for side := range players {
		s := quick
		s.setUps = []setUpSource{fromBook, fromBook, fromKnowledge, asGreedy}[r.IntN(4)]
		players[side] = &searcher{style: s, options: Options{Nodes: *trainNodes}}
		if r.IntN(12) == 0 {
			players[side] = &rush{habits: rusher}
		}
	}
	var armies [2]luzhanqi.SetUp
	for side, p := range players {
		armies[side], _ = luzhanqi.ParseSetUp(string(p.SetUp(r)))
	}
	noise := []float64{0, 0.05, 0.15}[r.IntN(3)]
	p := luzhanqi.NewPosition(armies[0], armies[1], false)
	var all []sample
	for p.Ply() < 600 {
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		if p.Ply() >= 4 {
			board := p.Board()
			all = append(all, sampleOf(&board, side, game.First), sampleOf(&board, side, game.Second))
		}
		v := p.View(side)
		var m game.Move
		if r.Float64() < noise {
			moves := v.Moves(nil)
			m = moves[r.IntN(len(moves))]
		} else {
			m = players[side].Choose(v, time.Now().Add(time.Hour), r)
		}
		p = p.Play(m).(*luzhanqi.Position)
	}
	o, over := p.Outcome()
	if !over {
		o = game.Drawn("plies")
	}
	for i := range all {
		all[i].points = float32(o.Points(game.Side(i % 2)))
	}
	return all
}

func sampleOf(b *luzhanqi.Board, mover, side game.Side) sample {
	d := &dealer{worth: values{weights, weights}, truth: b}
	w := &world{worth: d.worth}
	w.start = newState(b, mover, false, d.numbering())
	w.start.value(&w.worth)
	w.guard()
	var x sample
	w.start.inputs(side, func(row int) { x.rows[x.n] = int16(row); x.n++ })
	x.terms = w.terms(&w.start, side)
	x.hand = float32(math.Atanh(float64(w.evaluation(&w.start, side, nil)) / 10_001))
	return x
}

// trainee is the network in floating point.
type trainee struct {
	hidden [netInputs][netHidden]float32
	bias   [netHidden]float32
	out    [netHidden]float32
	terms  [netTerms]float32
	offset float32
}

func (t *trainee) forward(x *sample, mirror bool, h *[netHidden]float32) float32 {
	*h = t.bias
	for _, row := range x.rows[:x.n] {
		weights := &t.hidden[turnRow(row, mirror)]
		for i := range h {
			h[i] += weights[i]
		}
	}
	v := t.offset
	for i, term := range x.terms {
		v += t.terms[i] * term
	}
	for i := range h {
		v += t.out[i] * min(max(h[i], 0), netCap)
	}
	return v
}

// turnRow exchanges left and right: the board is the same.
func turnRow(row int16, mirror bool) int16 {
	if !mirror {
		return row
	}
	sq := row % squareCount
	return row - sq + sq/columns*columns + columns - 1 - sq%columns
}

// learn moves the weights a step along the gradient of the cross entropy, by Adagrad.
func (t *trainee) learn(x *sample, mirror bool, rate, decay float32, g *trainee) {
	var h [netHidden]float32
	v := t.forward(x, mirror, &h)
	p := float32(1 / (1 + math.Exp(float64(-2*v))))
	e := p - x.points
	step := func(w, g *float32, d float32) {
		*g += d * d
		*w -= rate * d / (float32(math.Sqrt(float64(*g))) + 1e-6)
	}
	step(&t.offset, &g.offset, e)
	for i, term := range x.terms {
		step(&t.terms[i], &g.terms[i], e*term)
	}
	var back [netHidden]float32
	for i := range h {
		if h[i] > 0 && h[i] < netCap {
			back[i] = e * t.out[i]
		} else if h[i] <= 0 {
			back[i] = e * t.out[i] * 0.01 // so that no unit dies
		}
		step(&t.out[i], &g.out[i], e*min(max(h[i], 0), netCap))
		step(&t.bias[i], &g.bias[i], back[i])
	}
	for _, row := range x.rows[:x.n] {
		row := turnRow(row, mirror)
		weights, sums := &t.hidden[row], &g.hidden[row]
		for i, d := range back {
			d += decay * weights[i]
			sums[i] += d * d
			weights[i] -= rate * d / (float32(math.Sqrt(float64(sums[i]))) + 1e-6)
			weights[i] = min(max(weights[i], -2), 2)
		}
	}
}

func (t *trainee) quantize() *network {
	n := &network{netWeights: netWeights{Out: t.out, Terms: t.terms, Offset: t.offset}}
	for row := range t.hidden {
		for i, w := range t.hidden[row] {
			n.Hidden[row][i] = int16(math.Round(float64(w) * netScale))
		}
	}
	for i, w := range t.bias {
		n.Bias[i] = int16(math.Round(float64(w) * netScale))
	}
	return n
}

func crossEntropy(v, points float32) float64 {
	p := 1 / (1 + math.Exp(float64(-2*v)))
	p = min(max(p, 1e-6), 1-1e-6)
	return -float64(points)*math.Log(p) - (1-float64(points))*math.Log(1-p)
}

func TestTrain(t *testing.T) {
	if *train == "" {
		t.Skip("makes a network: give -train")
	}
	began := time.Now()
	games := make([][]sample, *trainGames)
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for g := range next {
				games[g] = selfPlay(*gateSeed<<32 + uint64(g))
			}
		})
	}
	for g := range games {
		next <- g
		if g%1000 == 999 {
			fmt.Printf("%d games, %v\n", g+1, time.Since(began).Round(time.Second))
		}
	}
	close(next)
	wg.Wait()
	var learning, held []sample
	for g, all := range games {
		if g%20 == 0 {
			held = append(held, all...)
		} else {
			learning = append(learning, all...)
		}
	}
	fmt.Printf("%d games, %d positions by two sides, %v\n", len(games), (len(learning)+len(held))/2, time.Since(began).Round(time.Second))
	best := fit(learning, held)
	header := fmt.Sprintf("The network of the leaves, made by\ngo test ./player -run TestTrain -train network.txt -train-games %d -train-nodes %d -train-epochs %d -train-rate %v -train-decay %v -seed %d -v -timeout 0\n",
		*trainGames, *trainNodes, *trainEpochs, *trainRate, *trainDecay, *gateSeed)
	if err := os.WriteFile(*train, []byte(best.quantize().text(header)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func fit(learning, held []sample) *trainee {
	r := rand.New(rand.NewPCG(1, 78))
	n, sums := &trainee{terms: [netTerms]float32{3.2, 0.35, 0.6, 0}}, &trainee{}
	for row := range n.hidden {
		for i := range n.hidden[row] {
			n.hidden[row][i] = float32(r.NormFloat64() * 0.05)
			sums.hidden[row][i] = 0.1
		}
	}
	for i := range n.out {
		n.bias[i] = 0.3
		n.out[i] = float32(r.NormFloat64() * 0.1)
	}
	hand := 0.0
	for i := range held {
		hand += crossEntropy(held[i].hand, held[i].points)
	}
	fmt.Printf("handmade: %.4f nats a position held out\n", hand/float64(len(held)))
	best, least := *n, math.Inf(1)
	for epoch := range *trainEpochs {
		rate := float32(*trainRate) * float32(1-float64(epoch)/float64(*trainEpochs))
		r.Shuffle(len(learning), func(i, j int) { learning[i], learning[j] = learning[j], learning[i] })
		for i := range learning {
			n.learn(&learning[i], r.IntN(2) == 0, rate, float32(*trainDecay), sums)
		}
		loss := 0.0
		var h [netHidden]float32
		for i := range held {
			loss += crossEntropy(n.forward(&held[i], false, &h), held[i].points)
		}
		loss /= float64(len(held))
		fmt.Printf("epoch %d: %.4f, terms %.2f\n", epoch+1, loss, n.terms)
		if loss < least {
			best, least = *n, loss
		}
	}
	return &best
}
