package tablebase

import "math/bits"

// exits is what is known of the moves from sixteen positions that differ only in where the second archer
// stands: where some move wins, where some does not lose, and where there is one at all.
type exits struct{ win, safe, goes uint16 }

// to adds a move to a cell, for the positions in mask.
func (e exits) to(c *cell, mask uint16) exits {
	return exits{e.win | c.loss&mask, e.safe | mask&^c.win, e.goes | mask}
}

// one adds a move from the positions in mask, all of which lead to the same position of a cell.
func (e exits) one(c *cell, mask, at uint16) exits {
	e.goes |= mask
	if c.loss&at != 0 {
		e.win |= mask
	}
	if c.win&at == 0 {
		e.safe |= mask
	}
	return e
}

// iterate solves one block, whose words know what can be had by leaving it. Each side's cells are
// worked out from the other's in turn. Wins and losses only grow, so it ends; what is neither then
// can be played for ever.
func (t *table) iterate(l *layer) {
	for round := 0; ; round++ {
		side := round & 1
		changed := false
		words := t.words[side]
		kept := 0
		for n := range words {
			w := &words[n]
			var e exits
			if side == 0 {
				e = t.firstWithin(l, w)
			} else {
				e = t.secondWithin(l, w)
			}
			loss := w.valid &^ (e.win | e.safe)
			if t.draws {
				loss &= e.goes
			}
			if w.at.win != e.win || w.at.loss != loss {
				*w.at = cell{e.win, loss}
				changed = true
			}
			if e.win|loss != w.valid {
				words[kept] = *w
				kept++
			}
		}
		t.words[side] = words[:kept]
		if !changed && round > 0 {
			return
		}
	}
}

// firstWithin adds the moves of the first horse and archer that stay in the block.
func (t *table) firstWithin(l *layer, w *word) exits {
	h, a, h2 := int(w.h), int(w.a)<<4, int(w.h2)<<8
	e := w.within(w.exits, l, &t.reach[horse][w.h], a|h2, 0)
	return w.within(e, l, &t.reach[archer][w.a], h|h2, 4)
}

// within adds the moves of one piece of the first army, whose square has its place in the cells' index.
func (w *word) within(e exits, l *layer, r *steps, others, shift int) exits {
	for to := (r.moves | r.captures) & w.free; to != 0; to &= to - 1 {
		y := bits.TrailingZeros16(to)
		by := uint16(1) << y
		c := &l[1][(others|y<<shift)&(cells-1)]
		if r.moves&by != 0 {
			e = e.to(c, w.valid&^by)
		}
		if r.captures&w.valid&by != 0 {
			e = e.one(c, by, 1<<off)
		}
	}
	return e
}

// secondWithin adds the moves of the second horse and archer that stay in the block.
func (t *table) secondWithin(l *layer, w *word) exits {
	e := w.exits
	others := index(w.h, w.a, 0)
	for to := t.reach[places+horse][w.h2].moves & w.free; to != 0; to &= to - 1 {
		y := bits.TrailingZeros16(to)
		e = e.to(&l[0][(others|y<<8)&(cells-1)], w.valid&^(1<<y))
	}
	c := l[0][index(w.h, w.a, w.h2)&(cells-1)]
	free := w.valid & onBoard
	for _, d := range t.distances {
		e.goes |= back(free, d) & free
		e.win |= back(free&c.loss, d) & free
		e.safe |= back(free&^c.win, d) & free
	}
	return e
}

// back moves a set of squares by d squares against the direction of a move.
func back(set uint16, d int) uint16 {
	if d > 0 {
		return set >> d
	}
	return set << -d & onBoard
}
