package luzhanqi

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// Playouts learn from those of the rounds before: what was followed by more than other moves is made more often, by
// whichever side it helps. This is move-average sampling (MAST; Finnsson and Björnsson, "Simulation-based approach to
// general game playing", AAAI 2008). A move is told by the rank that makes it and by where it goes: each side knows its own
// ranks, and what is learned of a rank holds in every world in which it stands near.

// moveKey tells a move.
type moveKey uint16

// moveKeys is how many there are.
const moveKeys = 16 * 64

func keyOf(rank luzhanqi.Rank, to game.Square) moveKey { return moveKey(rank&15)<<6 | moveKey(to&63) }

// line is what a playout has made of a candidate.
type line struct {
	value int64
	n     int
	moves [32]moveKey // the first of them, by the enemy and by us in turn
}

// add notes the next move.
func (l *line) add(k moveKey) {
	if l.n < len(l.moves) {
		l.moves[l.n] = k
		l.n++
	}
}

// averages are, by side and move, what the playouts in which it was made returned beyond others, in ten-thousandths of
// a win of the side that searches. They are whole numbers, so that the order in which workers add does not matter.
type averages [2][moveKeys]struct{ n, sum int64 }

// learn takes in one turn: a playout of each candidate for us, all in the same world. Neither what world it was nor how good
// a candidate is counts for the moves behind it.
func (a *averages) learn(us game.Side, candidates []candidate, lines []line) {
	mean, n := int64(0), int64(0)
	for i := range candidates {
		if c := &candidates[i]; !c.draw {
			lines[i].value -= c.sum / max(c.visits, 1)
			mean += lines[i].value
			n++
		}
	}
	mean /= max(n, 1)
	for i := range lines {
		l := &lines[i]
		side := us.Other()
		for _, k := range l.moves[:l.n] {
			of := &a[side&1][k&(moveKeys-1)]
			of.n++
			of.sum += l.value - mean
			side = side.Other()
		}
	}
}

// add adds what a worker has learned.
func (a *averages) add(b *averages) {
	for side := range a {
		for k := range a[side] {
			a[side][k].n += b[side][k].n
			a[side][k].sum += b[side][k].sum
		}
	}
}

// preferences are what moves seem to be worth beyond what the policy of playouts sees, by side, in the unit of material.
type preferences [2][moveKeys]int16

// A win is a piece of 10,000: settled by games at 100,000 positions, in which half of it and 6,000 told
// no difference. Of moves that were seldom made little is believed.
const (
	preferPerWin = 10_000
	preferAfter  = 30 // playouts
	maxPreferred = 400
)

// preferences are those of both sides, of which us searches.
func (a *averages) preferences(us game.Side) *preferences {
	p := &preferences{}
	for side := range a {
		sign := int64(1)
		if game.Side(side) != us {
			sign = -1
		}
		for k, of := range a[side] {
			worth := sign * of.sum * preferPerWin / (10_000 * (of.n + preferAfter))
			p[side][k] = int16(max(min(worth, maxPreferred), -maxPreferred))
		}
	}
	return p
}

// of is what it is worth besides that side brings a rank to a square.
func (p *preferences) of(side game.Side, rank luzhanqi.Rank, to game.Square) int32 {
	return int32(p[side&1][keyOf(rank, to)&(moveKeys-1)])
}
