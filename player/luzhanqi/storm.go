package luzhanqi

import (
	"math"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// ways are what each square is worth to a side that makes for the flag, by the headquarters that it makes for.
type ways [2][64]int16

// wayTo is the index of a headquarters in ways.
func wayTo(hq game.Square) int { return int(hq) >> 1 & 1 }

// What a storm is worth, as a rusher was tuned to play that took two of five games from a search whose enemies are less
// resolute: so much in the unit of material to stand on the flag, and the steps after which that is a third.
const (
	stormNear = 9000
	stormWay  = 2.9
)

// newWays measures the ways to the headquarters of one side past the pieces that stand: a step, or a line of railway,
// counts 1, one of the defenders on it 2 more, and one of the attackers 1 more.
func newWays(attackers, defenders luzhanqi.Squares) (all ways) {
	const nowhere = 40
	occupied := attackers | defenders
	for hq := range (luzhanqi.Headquarters & defenders).All() {
		var cost [64]int
		for sq := range cost {
			cost[sq] = nowhere
		}
		cost[hq] = 0
		var open [tables.SquareCount]luzhanqi.Squares
		for sq := range game.Square(tables.SquareCount) {
			if !luzhanqi.Headquarters.Has(sq) {
				open[sq] = luzhanqi.TargetsOf(sq, 0, occupied, false)
			}
		}
		for changed := true; changed; {
			changed = false
			for sq := range open {
				for to := range open[sq].All() {
					through := cost[to] + 1
					switch {
					case to == hq:
					case defenders.Has(to):
						through += 2
					case attackers.Has(to):
						through++
					}
					if through < cost[sq] {
						cost[sq], changed = through, true
					}
				}
			}
		}
		for sq, c := range cost {
			all[wayTo(hq)][sq] = int16(stormNear * math.Exp(-float64(c)/stormWay))
		}
	}
	return all
}

// storm chooses the move that brings the mover nearest to the flag that it makes for, whatever it meets there, unless
// its own flag is in danger. It looks at every move that leads nearer.
func (w *world) storm(s *state, r *rng, b *moveBuffer) (from, to game.Square, ok bool) {
	me := s.mover & 1
	enemy := me ^ 1
	k := w.exchanges[me]
	foes := s.of[enemy]
	worth := &w.ways[wayTo(s.aimed(foes))]
	intruders := foes & w.guards[me] &^ s.fixed
	random := r.next()
	best := int32(-1 << 30)
	quiet, keen := s.lay(b, foes, foes)
	for ; keen != 0; keen &= keen - 1 {
		sq := keen.First()
		rank := s.rank[sq] & 15
		for captures := b.targets[sq&63] & foes; captures != 0; captures &= captures - 1 {
			target := captures.First()
			piece := s.piece[target] & 31
			shown := s.shown[enemy][piece]
			gain := int32(k.attack(rank, piece, shown))
			gain += int32(k.survives(rank, piece, shown)) * int32(worth[target&63]-worth[sq&63]) >> 8
			if luzhanqi.Bit(target)&intruders != 0 {
				gain += saveFlag
			}
			random = random>>7 | random<<57
			gain += int32(random & doubt)
			if b.prefer != nil {
				gain += b.prefer.of(me, rank, target)
			}
			if gain > best {
				best, from, to = gain, sq, target
			}
		}
	}
	for _, sq := range b.quiet[:quiet&31] {
		sq &= 63
		rank := s.rank[sq] & 15
		for t := b.targets[sq] &^ foes; t != 0; t &= t - 1 {
			target := t.First()
			random = random>>7 | random<<57
			gain := int32(worth[target&63]-worth[sq]) + int32(random&doubt)
			if b.prefer != nil {
				gain += b.prefer.of(me, rank, target)
			}
			if gain > best {
				best, from, to = gain, sq, target
			}
		}
	}
	return from, to, best > -1<<30
}

// survives is how likely an attacker stays, in parts of 256.
func (k *exchanges) survives(rank luzhanqi.Rank, piece, shown uint8) uint8 {
	if shown == shownNothing || shown == shownNoNews {
		return k.stays[rank&15][piece&31]
	}
	return k.staysShown[rank&15][shown&15]
}
