package main

import "math"

func logLoss(positions []tuned, weights []float64, scale float64) (loss float64) {
	for _, p := range positions {
		chance := 1 / (1 + math.Exp(-dot(p.terms, weights)/scale))
		loss -= math.Log(max(1e-12, p.result*chance+(1-p.result)*(1-chance)))
	}
	return loss / float64(len(positions))
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func bestScale(positions []tuned, weights []float64) float64 {
	best, lowest := 0.0, math.Inf(1)
	for scale := 50.0; scale < 2000; scale *= 1.05 {
		if loss := logLoss(positions, weights, scale); loss < lowest {
			best, lowest = scale, loss
		}
	}
	return best
}

// regress descends from the weights as they are; a little is paid for going far from them.
func regress(positions []tuned, from []float64, scale float64) []float64 {
	weights, mean, square := append([]float64(nil), from...), make([]float64, len(from)), make([]float64, len(from))
	for step := 1; step <= 1500; step++ {
		gradient := make([]float64, len(from))
		for _, p := range positions {
			off := 1/(1+math.Exp(-dot(p.terms, weights)/scale)) - p.result
			for i, x := range p.terms {
				gradient[i] += off * x
			}
		}
		for i := range weights {
			g := gradient[i]/float64(len(positions)) + 1e-6*(weights[i]-from[i])
			mean[i], square[i] = 0.9*mean[i]+0.1*g, 0.999*square[i]+0.001*g*g
			weights[i] -= 2 * (mean[i] / (1 - math.Pow(0.9, float64(step)))) / (math.Sqrt(square[i]/(1-math.Pow(0.999, float64(step)))) + 1e-9)
		}
	}
	return weights
}
