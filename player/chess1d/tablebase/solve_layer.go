package tablebase

import (
	"iter"
	"math/bits"
)

// word is one cell under way, with what is known of the moves that lead out of the block.
type word struct {
	at       *cell
	h, a, h2 uint8
	free     uint16 // the squares empty but for the second archer
	valid    uint16 // where the second archer can be
	exits
}

// solveLayer fills in the layer of a placement. Blocks with fewer pieces come first; inside a block pieces
// move to and fro, so it is gone over until nothing changes.
func (t *table) solveLayer(p state, l *layer) {
	of := p.occupied()
	fixed := of[0] | of[1]
	for captured := 7; captured >= 0; captured-- {
		if captured&t.lost != t.lost {
			continue
		}
		t.words[0], t.words[1] = t.words[0][:0], t.words[1][:0]
		for h := range choices(captured&1 != 0, fixed) {
			p, taken := p.put(horse, h), fixed|bit(h)
			for a := range choices(captured&2 != 0, taken) {
				p, taken := p.put(archer, a), taken|bit(a)
				for h2 := range choices(captured&4 != 0, taken) {
					p, free := p.put(places+horse, h2), ^(taken | bit(h2))
					of := p.occupied()
					for side := range t.words {
						w := word{at: &l[side][p.cell()], h: h, a: a, h2: h2, free: free & onBoard, valid: free & t.last}
						w.exits = t.leave(p, of[side], of[1-side], side, w.valid)
						t.words[side] = append(t.words[side], w)
					}
				}
			}
		}
		t.iterate(l)
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

// leave finds a side's moves that lead out of the block: those of pawns and royals, and all captures. The second
// archer, which p leaves out, is on any of the squares in valid.
func (t *table) leave(p state, own, enemy uint16, side int, valid uint16) (e exits) {
	royalAt := bit(p.at((1-side)*places + royal))
	for piece := side * places; piece < (side+1)*places; piece++ {
		r := &t.reach[piece][p.at(piece)]
		if r.captures&royalAt != 0 {
			return exits{win: valid, goes: valid}
		}
		for to := r.captures & enemy; to != 0; to &= to - 1 {
			m := step{uint8(piece), uint8(bits.TrailingZeros16(to))}
			e = e.to(t.cell(p.play(m, side), 1-side), valid)
		}
		if place := piece % places; place == horse || place == archer {
			continue // the others stay in the block
		}
		for to := r.moves &^ (own | enemy); to != 0; to &= to - 1 {
			y := uint8(bits.TrailingZeros16(to))
			e = e.to(t.cell(p.put(piece, y), 1-side), valid&^(1<<y))
		}
		if side == 0 {
			for to := r.captures & valid; to != 0; to &= to - 1 {
				y := uint8(bits.TrailingZeros16(to))
				e = e.one(t.cell(p.put(piece, y), 1), 1<<y, 1<<off)
			}
		}
	}
	if side == 0 {
		return e
	}
	// The second archer's captures: one square of its own for each victim.
	for victim := range places {
		x := p.at(victim)
		from := t.captureFrom[x] & valid
		switch {
		case from == 0:
		case victim == royal:
			e.win |= from
			e.goes |= from
		default:
			e = e.one(t.cell(p.put(victim, off), 0), from, 1<<x)
		}
	}
	return e
}
