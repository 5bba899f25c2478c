package tablebase

import "math/bits"

// iterate solves one block, whose words know what can be had by leaving it. Each side's cells are
// worked out from the other's in turn. Wins and losses only grow, so it ends; what is neither then
// can be played for ever.
func (s *table) iterate(l *layer) {
	for round := 0; ; round++ {
		side := round & 1
		changed := false
		words := s.words[side]
		kept := 0
		for n := range words {
			w := &words[n]
			win, safe, goes := w.win, w.safe, w.goes
			if side == 0 {
				win, safe, goes = s.firstWithin(l, w, win, safe, goes)
			} else {
				win, safe, goes = s.secondWithin(l, w, win, safe, goes)
			}
			loss := w.valid &^ (win | safe)
			if s.draws {
				loss &= goes
			}
			if w.at.win != win || w.at.loss != loss {
				*w.at = cell{win, loss}
				changed = true
			}
			if win|loss != w.valid {
				words[kept] = *w
				kept++
			}
		}
		s.words[side] = words[:kept]
		if !changed && round > 0 {
			return
		}
	}
}

// firstWithin adds the moves of the first horse and archer that stay in the block.
func (s *table) firstWithin(l *layer, w *word, win, safe, goes uint16) (uint16, uint16, uint16) {
	add := func(r *steps, n, shift int) {
		for to := (r.moves | r.captures) & w.free; to != 0; to &= to - 1 {
			y := bits.TrailingZeros16(to)
			by := uint16(1) << y
			c := l[1][(n|y<<shift)&(cells-1)]
			if r.moves&by != 0 {
				mask := w.valid &^ by
				goes |= mask
				win |= c.loss & mask
				safe |= mask &^ c.win
			}
			if r.captures&w.valid&by != 0 {
				goes |= by
				if c.loss>>off != 0 {
					win |= by
				}
				if c.win>>off == 0 {
					safe |= by
				}
			}
		}
	}
	h, a, h2 := int(w.h), int(w.a)<<4, int(w.h2)<<8
	add(&s.reach[horse][w.h], a|h2, 0)
	add(&s.reach[archer][w.a], h|h2, 4)
	return win, safe, goes
}

// secondWithin adds the moves of the second horse and archer that stay in the block.
func (s *table) secondWithin(l *layer, w *word, win, safe, goes uint16) (uint16, uint16, uint16) {
	n := index(w.h, w.a, 0)
	for to := s.reach[places+horse][w.h2].moves & w.free; to != 0; to &= to - 1 {
		y := bits.TrailingZeros16(to)
		mask := w.valid &^ (1 << y)
		c := l[0][(n|y<<8)&(cells-1)]
		goes |= mask
		win |= c.loss & mask
		safe |= mask &^ c.win
	}
	c := l[0][index(w.h, w.a, w.h2)&(cells-1)]
	free := w.valid & onBoard
	for _, d := range s.distances {
		goes |= back(free, d) & free
		win |= back(free&c.loss, d) & free
		safe |= back(free&^c.win, d) & free
	}
	return win, safe, goes
}

// back moves a set of squares by d squares against the direction of a move.
func back(set uint16, d int) uint16 {
	if d > 0 {
		return set >> d
	}
	return set << -d & onBoard
}
