package luzhanqi

import "math"

// Foretelling says how games end in which playouts return some value: the log odds of winning are Bias + Slope × those of the value,
// between the plies of two knots as the line between them says. Knots are in the order of their plies.
type Foretelling []Knot

// Knot is what is so at one ply.
type Knot struct{ Ply, Bias, Slope float64 }

// At is the knot at a ply: before the first and after the last one as there.
func (f Foretelling) At(ply int) Knot {
	x := float64(ply)
	if x <= f[0].Ply {
		return f[0]
	}
	for i, after := range f[1:] {
		if before := f[i]; x <= after.Ply {
			part := (x - before.Ply) / (after.Ply - before.Ply)
			return Knot{x, before.Bias + part*(after.Bias-before.Bias), before.Slope + part*(after.Slope-before.Slope)}
		}
	}
	return f[len(f)-1]
}

// Extreme is the value beyond which a value tells no more, and is taken for this one: most such playouts end soon, and still not every game is won.
const Extreme = 0.98

// LogOdds are those of winning by a value from −1 to 1.
func LogOdds(value float64) float64 {
	p := (1 + max(-Extreme, min(value, Extreme))) / 2
	return math.Log(p / (1 - p))
}

// value is what a value of playouts is worth, and how much more that is for each bit more; beyond the extremes, as at them. An end at once is what it is.
func (f Foretelling) value(ply int, played float64) (value, slope float64) {
	if f == nil || math.Abs(played) >= 1 {
		return played, 1
	}
	k := f.At(ply)
	p := 1 / (1 + math.Exp(-k.Bias-k.Slope*LogOdds(played)))
	own := (1 + max(-Extreme, min(played, Extreme))) / 2
	return max(-Extreme, min(2*p-1, Extreme)), k.Slope * p * (1 - p) / (own * (1 - own))
}
