package hiddeninfo

import (
	"math"

	"luzhanqi/game/luzhanqi"
)

// Weights is an opinion: a factor for every piece and rank code, by which the assignments that the
// observations allow are weighted. Only ratios within a piece's row matter.
//
// An opinion never excludes what the observations allow: a factor that is less than 1e-9 of its
// row's greatest (also zero, negative or not a number) counts as 1e-9 of it.
type Weights [Pieces][rankCodes]float64

// faintest keeps the product over 25 pieces, 1e-225, above the smallest float64, so that no
// possible world gets probability zero.
const faintest = 1e-9

// Uniform is the opinion that says nothing.
func Uniform() *Weights {
	w := uniform
	return &w
}

var uniform = func() (w Weights) {
	for p := range w {
		for _, rank := range luzhanqi.Ranks {
			w[p][rank] = 1
		}
	}
	return w
}()

// times returns the product of two opinions, either of which may be missing.
func (w *Weights) times(v *Weights) *Weights {
	if w == nil || v == nil {
		if w == nil {
			return v
		}
		return w
	}
	product := *w
	for p := range product {
		for rank := range product[p] {
			product[p][rank] *= v[p][rank]
		}
	}
	return &product
}

// scale divides a row by its greatest factor among the ranks of a mask, and raises factors below faintest. Where
// no factor is one, all are the same.
func scale(row *[rankCodes]float64, mask Mask) (scaled [rankCodes]float64, greatest float64) {
	for m := mask; m != 0; m &= m - 1 {
		greatest = max(greatest, sane(row[m.first()]))
	}
	for m := mask; m != 0; m &= m - 1 {
		if greatest == 0 {
			scaled[m.first()] = 1
			continue
		}
		scaled[m.first()] = max(sane(row[m.first()])/greatest, faintest)
	}
	if greatest == 0 {
		greatest = 1
	}
	return scaled, greatest
}

// sane makes every number a factor: finite, and zero if negative or not a number.
func sane(factor float64) float64 {
	if factor > 0 {
		return min(factor, math.MaxFloat64)
	}
	return 0
}
