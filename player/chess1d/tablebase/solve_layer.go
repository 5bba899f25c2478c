package tablebase

import (
	"iter"
	"math/bits"
)

// word is one cell under way, with what is known of the moves that lead out of the block.
type word struct {
	at              *cell
	h, a, h2        uint8
	free            uint16 // the squares empty but for the second archer
	valid           uint16 // where the second archer can be
	win, safe, goes uint16
}

// solveLayer fills in one layer. Blocks with fewer pieces come first; inside a block pieces move to
// and fro, so it is gone over until nothing changes.
func (s *table) solveLayer(key layerKey, l *layer) {
	p1, k1, p2, k2 := key.squares()
	fixed := bit(p1) | bit(k1) | bit(p2) | bit(k2)
	for captured := 7; captured >= 0; captured-- {
		if captured&s.lost != s.lost {
			continue
		}
		s.words[0], s.words[1] = s.words[0][:0], s.words[1][:0]
		for h := range choices(captured&1 != 0, fixed) {
			taken := fixed | bit(h)
			for a := range choices(captured&2 != 0, taken) {
				taken := taken | bit(a)
				for h2 := range choices(captured&4 != 0, taken) {
					free := ^(taken | bit(h2))
					n := index(h, a, h2)
					s.words[0] = append(s.words[0], word{at: &l[0][n], h: h, a: a, h2: h2, free: free & onBoard, valid: free & s.last})
					s.words[1] = append(s.words[1], word{at: &l[1][n], h: h, a: a, h2: h2, free: free & onBoard, valid: free & s.last})
				}
			}
		}
		for n := range s.words[0] {
			s.leaveFirst(key, l, &s.words[0][n])
		}
		for n := range s.words[1] {
			s.leaveSecond(key, l, &s.words[1][n])
		}
		s.iterate(l)
	}
}

// choices yields where a horse or an archer can stand in a block.
func choices(captured bool, taken uint16) iter.Seq[uint8] {
	return func(yield func(uint8) bool) {
		if captured {
			yield(off)
			return
		}
		for free := onBoard &^ taken; free != 0; free &= free - 1 {
			if !yield(uint8(bits.TrailingZeros16(free))) {
				return
			}
		}
	}
}

// to notes a move to a cell, for the bits in mask.
func (w *word) to(c *cell, mask uint16) {
	w.goes |= mask
	w.win |= c.loss & mask
	w.safe |= mask &^ c.win
}

// takeLast notes the capture of the second archer on y.
func (w *word) takeLast(c *cell, y uint16) {
	w.goes |= y
	if c.loss>>off != 0 {
		w.win |= y
	}
	if c.win>>off == 0 {
		w.safe |= y
	}
}

func (s *table) leaveFirst(key layerKey, l *layer, w *word) {
	p1, k1, p2, k2 := key.squares()
	own := bit(p1) | bit(k1) | bit(w.h) | bit(w.a)
	enemy := bit(p2) | bit(k2) | bit(w.h2)
	for piece, from := range [places]uint8{p1, w.h, w.a, k1} {
		r := &s.reach[piece][from]
		if r.captures&bit(k2) != 0 {
			w.win, w.goes = w.valid, w.valid
			return
		}
		shift := [places]uint{0, 0, 4, 4}[piece]
		for to := (r.moves | r.captures) &^ own; to != 0; to &= to - 1 {
			y := uint8(bits.TrailingZeros16(to))
			by := uint16(1) << y
			if by&enemy != 0 && r.captures&by == 0 {
				continue
			}
			nk, h, a, h2 := key, w.h, w.a, w.h2
			switch piece {
			case pawn, royal:
				nk = nk&^(15<<shift) | layerKey(y)<<shift
			case horse:
				h = y
			case archer:
				a = y
			}
			switch y {
			case p2:
				nk |= off << 8
			case w.h2:
				h2 = off
			}
			if nk == key && h2 == w.h2 {
				continue // inside the block
			}
			t := l
			if nk != key {
				t = s.layers[nk]
			}
			c := &t[1][index(h, a, h2)]
			if by&enemy != 0 {
				w.to(c, w.valid)
				continue
			}
			if r.moves&by != 0 {
				w.to(c, w.valid&^by)
			}
			if r.captures&w.valid&by != 0 {
				w.takeLast(c, by)
			}
		}
	}
}

func (s *table) leaveSecond(key layerKey, l *layer, w *word) {
	p1, k1, p2, k2 := key.squares()
	own := bit(p2) | bit(k2) | bit(w.h2)
	enemy := bit(p1) | bit(k1) | bit(w.h) | bit(w.a)
	for piece, from := range [places]uint8{p2, w.h2, off, k2} {
		if from == off {
			continue
		}
		r := &s.reach[places+piece][from]
		if r.captures&bit(k1) != 0 {
			w.win, w.goes = w.valid, w.valid
			return
		}
		shift := [places]uint{8, 0, 0, 12}[piece]
		for to := (r.moves | r.captures) &^ own; to != 0; to &= to - 1 {
			y := uint8(bits.TrailingZeros16(to))
			by := uint16(1) << y
			takes := by&enemy != 0
			if takes && r.captures&by == 0 || !takes && r.moves&by == 0 {
				continue
			}
			nk, h, a, h2 := key, w.h, w.a, w.h2
			if piece == horse {
				h2 = y
			} else {
				nk = nk&^(15<<shift) | layerKey(y)<<shift
			}
			switch y {
			case p1:
				nk |= off
			case w.h:
				h = off
			case w.a:
				a = off
			}
			if nk == key && !takes {
				continue // inside the block
			}
			t := l
			if nk != key {
				t = s.layers[nk]
			}
			mask := w.valid
			if !takes {
				mask &^= by
			}
			w.to(&t[0][index(h, a, h2)], mask)
		}
	}
	// The second archer's captures: one square of its own for each victim.
	for piece, x := range [places]uint8{p1, w.h, w.a, k1} {
		if x == off {
			continue
		}
		from := s.captureFrom[x] & w.valid
		if from == 0 {
			continue
		}
		nk, h, a := key, w.h, w.a
		switch piece {
		case royal:
			w.win |= from
			w.goes |= from
			continue
		case pawn:
			nk |= off
		case horse:
			h = off
		case archer:
			a = off
		}
		t := l
		if nk != key {
			t = s.layers[nk]
		}
		c := &t[0][index(h, a, w.h2)]
		w.goes |= from
		if c.loss&bit(x) != 0 {
			w.win |= from
		}
		if c.win&bit(x) == 0 {
			w.safe |= from
		}
	}
}
