package page

import (
	"cmp"
	"slices"
)

// apart is how far the names beside a plot are from each other, at least.
const apart = 16

// label puts the names beside the ends of the curves, as far down as none covers another; the ones that have no room are left
// out, and each curve tells its name to who points at it.
func (p *plot) label() {
	slices.SortStableFunc(p.Curves, func(a, b drawn) int { return cmp.Compare(a.Y, b.Y) })
	if len(p.Curves) > labelled {
		return
	}
	at := plotTop
	for i := range p.Curves {
		at = max(at, p.Curves[i].Y)
		p.Curves[i].Label = at
		at += apart
	}
	for i, limit := len(p.Curves)-1, plotBottom; i >= 0; i-- { // those that went too far come back
		p.Curves[i].Label = min(p.Curves[i].Label, limit)
		limit = p.Curves[i].Label - apart
	}
}
