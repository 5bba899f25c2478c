package alphabeta

import (
	"math"

	"luzhanqi/game"
)

// ordering remembers which quiet moves refuted something, to try them early elsewhere.
type ordering struct {
	killers  [MaxDepth + 2][2]game.Move
	counters [2][64 * 64]game.Move // by the move before
	history  [2][64 * 64]int16     // by the move, between −maxHistory and maxHistory
}

const maxHistory = 8_000

// What moves are tried first, from the highest: the one that was best before (which is not among those rated), captures by their gain,
// killers, the counter to the last move, and the others by their history.
const (
	orderBefore  = 1 << 30
	orderGain    = 1 << 20
	orderKiller  = 1 << 18
	orderCounter = 1 << 17
)

func butterfly(m game.Move) int { return int(m.From&63)<<6 | int(m.To&63) }

// rate gives every move its place.
func (o *ordering) rate(moves []Move, last game.Move, side game.Side, ply int) {
	killers := &o.killers[ply]
	counter := o.counters[side&1][butterfly(last)]
	history := &o.history[side&1]
	for i := range moves {
		m := &moves[i]
		switch {
		case m.Gain > 0:
			m.order = orderGain + int32(m.Gain)
		case m.Move == killers[0]:
			m.order = orderKiller + 1
		case m.Move == killers[1]:
			m.order = orderKiller
		case m.Move == counter:
			m.order = orderCounter
		default:
			m.order = int32(history[butterfly(m.Move)]) + int32(m.Gain)
		}
	}
}

// first brings the move that is to be tried next to the front: of equal ones that which stands first.
// Which one it is is too irregular for a processor to predict, so it is found without a branch.
func first(moves []Move) Move {
	best := int64(math.MinInt64)
	for i := range moves {
		best = max(best, int64(moves[i].order)<<16-int64(i))
	}
	at := int(-best & (1<<16 - 1))
	moves[0], moves[at] = moves[at], moves[0]
	return moves[0]
}

// refuted learns from a quiet move that refuted the move before it, after those in tried had not.
func (o *ordering) refuted(m, last game.Move, tried []Move, side game.Side, ply, depth int) {
	if k := &o.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	o.counters[side&1][butterfly(last)] = m
	bonus := min(int32(depth*depth)*8, 800)
	o.learn(m, side, bonus)
	for _, t := range tried {
		if t.Gain <= 0 && t.Move != m {
			o.learn(t.Move, side, -bonus)
		}
	}
}

func (o *ordering) learn(m game.Move, side game.Side, bonus int32) {
	h := &o.history[side&1][butterfly(m)]
	*h += int16(bonus - int32(*h)*max(bonus, -bonus)/maxHistory)
}

// fade prepares for another search of the same game: what was learnt counts less, and the killers,
// which belong to plies of the tree, are gone.
func (o *ordering) fade() {
	clear(o.killers[:])
	for side := range o.history {
		for i := range o.history[side] {
			o.history[side][i] /= 4
		}
	}
}
