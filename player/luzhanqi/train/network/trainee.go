package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/tables"
)

// The trainee is the network in floating point. It learns from a batch at a time, its hidden units in parts, each on a processor
// of its own; what comes does not depend on how many there are.
const (
	parts     = 4
	partUnits = network.Hidden / parts
	batch     = 32
	shared    = network.Inputs / network.Seen // rows of a piece whatever was seen of it, so that what is seldom learns from what is frequent
)

type trainee struct {
	parts  [parts]part
	terms  [network.Terms]float32
	offset float32
	won    float32  // half the logit of winning where a playout was won
	sums   struct { // of squared gradients
		terms  [network.Terms]float32
		offset float32
	}
}

// part is some of the hidden units.
type part struct {
	hidden     [network.Inputs][partUnits]float32
	shared     [shared][partUnits]float32
	bias, out  [partUnits]float32
	hiddenSums [network.Inputs]float32 // of squared gradients, by row
	sharedSums [shared]float32
	biasSums   [partUnits]float32
	outSums    [partUnits]float32

	h [batch][partUnits]float32
	v [batch]float32 // what the units say of each sample
}

// sharedRow is the row of a piece without what was seen of it.
func sharedRow(row uint16) uint16 {
	const n = network.Seen * tables.SquareCount
	return row/n*tables.SquareCount + row%tables.SquareCount
}

// turnRow exchanges left and right: the board is the same.
func turnRow(row uint16, mirror bool) uint16 {
	if !mirror {
		return row
	}
	sq := row % tables.SquareCount
	return row - sq + sq/tables.Columns*tables.Columns + tables.Columns - 1 - sq%tables.Columns
}

func (p *part) forward(i int, x *sample, mirror bool) {
	h := &p.h[i]
	*h = p.bias
	for _, row := range x.rows[:x.n] {
		row := turnRow(row, mirror)
		a, b := &p.hidden[row], &p.shared[sharedRow(row)]
		for i := range h {
			h[i] += a[i] + b[i]
		}
	}
	v := float32(0)
	for i := range h {
		v += p.out[i] * min(max(h[i], 0), network.Cap)
	}
	p.v[i] = v
}

// learn moves weights a step along the gradient of the cross entropy, whose derivative by what the network says is e, by Adagrad:
// by weight, or for hidden weights by row.
func (p *part) learn(i int, x *sample, mirror bool, e, rate, decay float32) {
	h := &p.h[i]
	var back [partUnits]float32
	square := float32(0)
	for i := range h {
		switch {
		case h[i] <= 0:
			back[i] = e * p.out[i] * 0.01 // so that no unit dies
		case h[i] < network.Cap:
			back[i] = e * p.out[i]
		}
		square += back[i] * back[i]
		step(&p.out[i], &p.outSums[i], e*min(max(h[i], 0), network.Cap), rate)
		step(&p.bias[i], &p.biasSums[i], back[i], rate)
	}
	square /= partUnits
	for _, row := range x.rows[:x.n] {
		row := turnRow(row, mirror)
		for _, at := range [2]struct {
			weights *[partUnits]float32
			sum     *float32
		}{{&p.hidden[row], &p.hiddenSums[row]}, {&p.shared[sharedRow(row)], &p.sharedSums[sharedRow(row)]}} {
			*at.sum += square
			rate := rate / float32(math.Sqrt(float64(*at.sum)))
			keep := 1 - rate*decay
			for i, d := range back {
				at.weights[i] = keep*at.weights[i] - rate*d
			}
		}
	}
}

func step(w, sum *float32, d, rate float32) {
	*sum += d * d
	*w -= rate * d / (float32(math.Sqrt(float64(*sum))) + 1e-6)
}

// learn learns from a batch.
func (t *trainee) learn(xs []sample, mirrors []bool, rate, decay float32) {
	each := func(do func(p *part)) {
		var wg sync.WaitGroup
		for i := range t.parts {
			wg.Go(func() { do(&t.parts[i]) })
		}
		wg.Wait()
	}
	each(func(p *part) {
		for i := range xs {
			p.forward(i, &xs[i], mirrors[i])
		}
	})
	var es [batch]float32
	for i := range xs {
		x := &xs[i]
		v := t.offset
		for k := range t.parts {
			v += t.parts[k].v[i]
		}
		for k, term := range x.terms {
			v += t.terms[k] * term
		}
		e := float32(1/(1+math.Exp(float64(-2*v)))) - x.points
		es[i] = e
		step(&t.offset, &t.sums.offset, e, rate)
		for k, term := range x.terms {
			step(&t.terms[k], &t.sums.terms[k], e*term, rate)
		}
	}
	each(func(p *part) {
		for i := range xs {
			p.learn(i, &xs[i], mirrors[i], es[i], rate, decay)
		}
	})
}

// quantize is the network in whole numbers.
func (t *trainee) quantize() *network.Network {
	n := &network.Network{Terms: t.terms, Offset: t.offset}
	whole := func(x float32, scale, most float64) float64 {
		return min(max(math.Round(float64(x)*scale), -most), most)
	}
	for k := range t.parts {
		p := &t.parts[k]
		for i := range partUnits {
			unit := k*partUnits + i
			n.Bias[unit] = int16(whole(p.bias[i], network.Scale, network.MaxBias))
			n.Out[unit] = int16(whole(p.out[i], network.OutScale, math.MaxInt16))
			for row := range n.Hidden {
				n.Hidden[row][unit] = int8(whole(p.hidden[row][i]+p.shared[sharedRow(uint16(row))][i], network.Scale, math.MaxInt8))
			}
		}
	}
	return n
}

// loss is the mean cross entropy of a network.
func loss(n *network.Network, xs []sample) float64 {
	sum := 0.0
	for i := range xs {
		s := n.Sum(xs[i].rows[:xs[i].n])
		sum += crossEntropy(n.Judge(&s, nil, nil, &xs[i].terms), xs[i].points)
	}
	return sum / float64(len(xs))
}

// fit learns from some positions and returns what is best on the others, in whole numbers as it is asked.
func (c *command) fit(out io.Writer, learning, held []sample, began time.Time) (best *network.Network, lowest float64) {
	r := rand.New(rand.NewPCG(c.Seed, 78))
	t := &trainee{terms: [network.Terms]float32{1.6, 0.1, 0.3, 0}}
	for k := range t.parts {
		p := &t.parts[k]
		for row := range p.shared {
			for i := range p.shared[row] {
				p.shared[row][i] = float32(r.NormFloat64() * 0.05)
			}
			p.sharedSums[row] = 0.1
		}
		for row := range p.hiddenSums {
			p.hiddenSums[row] = 0.1
		}
		for i := range p.out {
			p.bias[i] = 0.3
			p.out[i] = float32(r.NormFloat64() * 0.1)
		}
	}
	mirrors := make([]bool, batch)
	lowest = math.Inf(1)
	for epoch := range c.Epochs {
		r.Shuffle(len(learning), func(i, j int) { learning[i], learning[j] = learning[j], learning[i] })
		for at := 0; at < len(learning); at += batch {
			xs := learning[at:min(at+batch, len(learning))]
			for i := range mirrors {
				mirrors[i] = r.IntN(2) == 0
			}
			rate := c.Rate * (1 - (float64(epoch)+float64(at)/float64(len(learning)))/float64(c.Epochs))
			t.learn(xs, mirrors, float32(rate), float32(c.Decay))
		}
		n := t.quantize()
		l := loss(n, held)
		fmt.Fprintf(out, "epoch %d: %.4f, terms %.2f, %v\n", epoch+1, l, n.Terms, time.Since(began).Round(time.Second))
		if l < lowest {
			best, lowest = n, l
		}
	}
	return best, lowest
}
