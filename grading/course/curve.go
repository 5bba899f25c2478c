package course

import (
	"fmt"
	"math"
)

// Curve is a piecewise linear function from a share of 0 to 1 to another one: points in ascending order,
// the first at 0 and the last at 1. It never falls.
type Curve [][2]float64

// straight gives what it is given.
var straight = Curve{{0, 0}, {1, 1}}

const maxPoints = 100

// check says what is wrong.
func (c Curve) check() error {
	if len(c) < 2 || len(c) > maxPoints {
		return fmt.Errorf("found %d points; allowed are 2 to %d, such as { score = 0.5, marks = 0.8 }", len(c), maxPoints)
	}
	for i, p := range c {
		switch {
		case !(p[0] >= 0 && p[0] <= 1 && p[1] >= 0 && p[1] <= 1):
			return fmt.Errorf("found a score of %v and marks of %v; allowed are shares from 0 to 1", p[0], p[1])
		case i > 0 && (p[0] <= c[i-1][0] || p[1] < c[i-1][1]):
			return fmt.Errorf("found a score of %v worth %v after one of %v worth %v; scores must grow, and marks must not fall", p[0], p[1], c[i-1][0], c[i-1][1])
		}
	}
	if first, last := c[0][0], c[len(c)-1][0]; first != 0 || last != 1 {
		return fmt.Errorf("it goes from %v to %v; allowed is from 0 to 1", first, last)
	}
	return nil
}

// At is the value at a share, which is taken as 0 below 0 and as 1 above 1.
func (c Curve) At(share float64) float64 {
	share = math.Min(math.Max(share, 0), 1)
	for i := 1; i < len(c); i++ {
		from, to := c[i-1], c[i]
		if share <= to[0] {
			return from[1] + (to[1]-from[1])*(share-from[0])/(to[0]-from[0])
		}
	}
	return c[len(c)-1][1]
}
