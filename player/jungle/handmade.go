package jungle

import (
	"math/bits"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// Weights are of an evaluation by hand.
type Weights struct {
	Near   int32 // for each step that a piece is nearer to the enemy's den
	Gate   int32 // more within three steps of it
	Safe   int32 // percent of its worth that a piece gains when nothing left can take it
	Hunted int32 // percent it loses for each enemy piece that can take it
	Guard  int32 // for a piece within two steps of its own den
	Free   int32 // for a rat when it owns the water
}

// Textbook are what everybody would begin with.
var Textbook = Weights{Near: 4, Gate: 8, Safe: 10, Hunted: 2, Guard: 6, Free: 60}

func (w *Weights) terms() *terms {
	t := &terms{}
	for side := range game.Side(2) {
		for k := range jungle.Kind(jungle.Kinds) {
			steps := distances(side, k)
			for sq := range game.Square(63) {
				d := steps[sq]
				if d < 0 {
					continue
				}
				score := w.Gate*max(0, 4-d) - w.Near*d
				if home(side, sq) <= 2 {
					score += w.Guard
				}
				for free := range t.places {
					t.places[free][side][k][sq] = placed(score, score)
				}
			}
		}
	}
	t.weigh(w.worth)
	return t
}

// worth is what a piece is worth against the kinds in enemy.
func (w *Weights) worth(k jungle.Kind, enemy int) int32 {
	value := int32(worth[k])
	caught := int32(bits.OnesCount(uint(enemy & hunters[k])))
	if caught == 0 {
		value += value * w.Safe / 100
	}
	value -= value * w.Hunted * caught / 100
	if k == jungle.Rat && enemy>>jungle.Elephant&1 == 0 {
		value /= 2
	}
	if k == jungle.Rat && enemy>>jungle.Rat&1 == 0 {
		value += w.Free
	}
	return value
}

// distances is by square the number of moves that an animal needs to the enemy's den on an
// empty board; −1 where it cannot stand.
func distances(side game.Side, k jungle.Kind) (steps [64]int32) {
	for sq := range steps {
		steps[sq] = -1
	}
	den := jungle.Den(side.Other())
	steps[den] = 0
	for d := int32(0); d < 64; d++ {
		for sq := range game.Square(63) {
			if steps[sq] >= 0 || k != jungle.Rat && jungle.Water.Has(sq) || sq == jungle.Den(side) {
				continue
			}
			for to := range jungle.Reach(side, k, sq).All() {
				if steps[to] == d {
					steps[sq] = d + 1
					break
				}
			}
		}
	}
	return steps
}

// home is how many steps a square is from its side's own den.
func home(side game.Side, sq game.Square) int {
	x, y := jungle.XY(sq)
	dx, dy := jungle.XY(jungle.Den(side))
	return max(x-dx, dx-x) + max(y-dy, dy-y)
}
