package jungle

import (
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// worth of a piece by kind, in hundredths of about a cat's half.
var worth = [jungle.Kinds]int16{
	jungle.Elephant: 1000, jungle.Lion: 900, jungle.Tiger: 800, jungle.Panther: 500,
	jungle.Wolf: 300, jungle.Dog: 400, jungle.Cat: 200, jungle.Rat: 500,
}

// Weights are what was tuned by playing, in the unit of worth.
type Weights struct {
	Near   int32 // for each step that a piece is nearer to the enemy's den
	Gate   int32 // more within three steps of it
	Safe   int32 // percent of its worth that a piece gains when nothing left can take it
	Hunted int32 // percent it loses for each enemy piece that can take it
	Guard  int32 // for a piece within two steps of its own den
	Free   int32 // for a rat when it owns the water
}

var Defaults = Weights{Near: 4, Gate: 8, Safe: 10, Hunted: 2, Guard: 6, Free: 60}

// terms are the weights spelt out as tables.
type terms struct {
	places   [2][jungle.Kinds][64]int16 // by side, kind and square; what is gone is worth nothing
	material [256][256]int16            // by the kinds that red and blue have left, seen from red
}

var defaultTerms = sync.OnceValue(func() *terms { return newTerms(Defaults) })

func newTerms(w Weights) *terms {
	t := &terms{}
	for side := range t.places {
		for k := range jungle.Kind(jungle.Kinds) {
			steps := distances(game.Side(side), k)
			for sq := range game.Square(63) {
				d := steps[sq]
				if d < 0 {
					continue
				}
				score := w.Gate*max(0, 4-d) - w.Near*d
				if home(game.Side(side), sq) <= 2 {
					score += w.Guard
				}
				t.places[side][k][sq] = int16(score)
			}
		}
	}
	for red := range t.material {
		for blue := range t.material[red] {
			t.material[red][blue] = int16(armyWorth(w, red, blue) - armyWorth(w, blue, red))
		}
	}
	return t
}

// armyWorth is what the kinds in own are worth against those in enemy.
func armyWorth(w Weights, own, enemy int) (total int32) {
	for k := range jungle.Kind(jungle.Kinds) {
		if own>>k&1 == 0 {
			continue
		}
		value := int32(worth[k])
		hunters := int32(0)
		for e := range jungle.Kind(jungle.Kinds) {
			if enemy>>e&1 != 0 && takes(e, k) {
				hunters++
			}
		}
		if hunters == 0 {
			value += value * w.Safe / 100
		}
		value -= value * w.Hunted * hunters / 100
		if k == jungle.Rat && enemy>>jungle.Elephant&1 == 0 {
			value /= 2
		}
		if k == jungle.Rat && enemy>>jungle.Rat&1 == 0 {
			value += w.Free
		}
		total += value
	}
	return total
}

// takes says whether an animal takes another off traps.
func takes(attacker, defender jungle.Kind) bool {
	switch {
	case attacker == jungle.Rat:
		return defender == jungle.Elephant || defender == jungle.Rat
	case attacker == jungle.Elephant && defender == jungle.Rat:
		return false
	}
	return attacker.Strength() >= defender.Strength()
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

// judge is the value of a board for red.
func (t *terms) judge(b *jungle.Board) int32 {
	var score int32
	var left [2]int
	for k := range jungle.Kind(jungle.Kinds) {
		red, blue := b.Square(game.First, k), b.Square(game.Second, k)
		score += int32(t.places[0][k][red&63]) - int32(t.places[1][k][blue&63])
		if red != jungle.Gone {
			left[0] |= 1 << k
		}
		if blue != jungle.Gone {
			left[1] |= 1 << k
		}
	}
	return score + int32(t.material[left[0]][left[1]])
}
