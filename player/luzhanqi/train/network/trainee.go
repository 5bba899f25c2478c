package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/tables"
)

// trainee is the network in floating point.
type trainee struct {
	hidden [network.Inputs][network.Hidden]float32
	bias   [network.Hidden]float32
	out    [network.Hidden]float32
	terms  [network.Terms]float32
	offset float32
}

func (t *trainee) forward(x *sample, mirror bool, h *[network.Hidden]float32) float32 {
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
		v += t.out[i] * min(max(h[i], 0), network.Cap)
	}
	return v
}

// turnRow exchanges left and right: the board is the same.
func turnRow(row int16, mirror bool) int16 {
	if !mirror {
		return row
	}
	sq := row % tables.SquareCount
	return row - sq + sq/tables.Columns*tables.Columns + tables.Columns - 1 - sq%tables.Columns
}

// learn moves the weights a step along the gradient of the cross entropy, by Adagrad.
func (t *trainee) learn(x *sample, mirror bool, rate, decay float32, g *trainee) {
	var h [network.Hidden]float32
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
	var back [network.Hidden]float32
	for i := range h {
		if h[i] > 0 && h[i] < network.Cap {
			back[i] = e * t.out[i]
		} else if h[i] <= 0 {
			back[i] = e * t.out[i] * 0.01 // so that no unit dies
		}
		step(&t.out[i], &g.out[i], e*min(max(h[i], 0), network.Cap))
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

func (t *trainee) quantize() *network.Weights {
	n := &network.Weights{Out: t.out, Terms: t.terms, Offset: t.offset}
	for row := range t.hidden {
		for i, w := range t.hidden[row] {
			n.Hidden[row][i] = int16(math.Round(float64(w) * network.Scale))
		}
	}
	for i, w := range t.bias {
		n.Bias[i] = int16(math.Round(float64(w) * network.Scale))
	}
	return n
}

func crossEntropy(v, points float32) float64 {
	p := 1 / (1 + math.Exp(float64(-2*v)))
	p = min(max(p, 1e-6), 1-1e-6)
	return -float64(points)*math.Log(p) - (1-float64(points))*math.Log(1-p)
}

// fit learns from some positions and keeps what is best on the others.
func (c *command) fit(out io.Writer, learning, held []sample) *trainee {
	r := rand.New(rand.NewPCG(1, 78))
	n, sums := &trainee{terms: [network.Terms]float32{3.2, 0.35, 0.6, 0}}, &trainee{}
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
	fmt.Fprintf(out, "handmade: %.4f nats a position held out\n", hand/float64(len(held)))
	best, lowest := *n, math.Inf(1)
	for epoch := range c.Epochs {
		rate := float32(c.Rate) * float32(1-float64(epoch)/float64(c.Epochs))
		r.Shuffle(len(learning), func(i, j int) { learning[i], learning[j] = learning[j], learning[i] })
		for i := range learning {
			n.learn(&learning[i], r.IntN(2) == 0, rate, float32(c.Decay), sums)
		}
		loss := 0.0
		var h [network.Hidden]float32
		for i := range held {
			loss += crossEntropy(n.forward(&held[i], false, &h), held[i].points)
		}
		loss /= float64(len(held))
		fmt.Fprintf(out, "epoch %d: %.4f, terms %.2f\n", epoch+1, loss, n.terms)
		if loss < lowest {
			best, lowest = *n, loss
		}
	}
	return &best
}
