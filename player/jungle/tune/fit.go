package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"luzhanqi/player/jungle"
)

// position is one of a game, with the points that red got in the end. What is counted in it is counted again each time: kept, it would
// fill gigabytes.
type position struct {
	seen
	points float32
}

func (p *position) inputs() []jungle.Input { return jungle.InputsOf(&p.board, p.turn) }

// fit makes a logistic regression by Adagrad: weights whose sum is the logit of red's points.
func fit(out io.Writer, learning, held []position, epochs int) (weights [jungle.Inputs]float32) {
	var squares [jungle.Inputs]float32
	r := rand.New(rand.NewPCG(1, 1))
	for epoch := range epochs {
		rate := 0.09 / float32(1+epoch)
		for _, i := range r.Perm(len(learning)) {
			p := &learning[i]
			inputs := p.inputs()
			off := chance(&weights, inputs) - p.points
			for _, in := range inputs {
				d := off*in.Value + 1e-5*weights[in.Weight]
				squares[in.Weight] += d * d
				weights[in.Weight] -= rate * d / (float32(math.Sqrt(float64(squares[in.Weight]))) + 1e-6)
			}
		}
		fmt.Fprintf(out, "epoch %d: %.4f nats a position, of games that were held out %.4f\n", epoch+1, loss(&weights, learning), loss(&weights, held))
	}
	return weights
}

// chance is what red is expected to get.
func chance(weights *[jungle.Inputs]float32, inputs []jungle.Input) float32 {
	var logit float32
	for _, in := range inputs {
		logit += weights[in.Weight] * in.Value
	}
	return float32(1 / (1 + math.Exp(-float64(logit))))
}

// loss is the mean cross entropy.
func loss(weights *[jungle.Inputs]float32, positions []position) (nats float64) {
	for i := range positions {
		p, points := float64(chance(weights, positions[i].inputs())), float64(positions[i].points)
		nats -= points*math.Log(max(p, 1e-9)) + (1-points)*math.Log(max(1-p, 1e-9))
	}
	return nats / float64(len(positions))
}

// rounded are the weights in the unit of the evaluation.
func rounded(weights [jungle.Inputs]float32) (*jungle.Learned, error) {
	l := &jungle.Learned{}
	for i, number := range l.Numbers() {
		x := math.Round(float64(weights[i]) * jungle.Scale)
		if !(math.Abs(x) <= math.MaxInt16) {
			return nil, fmt.Errorf("weight %d is %v", i, weights[i])
		}
		*number = int16(x)
	}
	return jungle.Read(l.Text("")) // which checks it
}
