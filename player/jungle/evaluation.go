package jungle

import (
	"math/bits"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// worth of a piece by kind, in hundredths of about a cat's half.
var worth = [jungle.Kinds]int16{
	jungle.Elephant: 1000, jungle.Lion: 900, jungle.Tiger: 800, jungle.Panther: 500,
	jungle.Wolf: 300, jungle.Dog: 400, jungle.Cat: 200, jungle.Rat: 500,
}

// terms are weights spelt out as tables.
type terms struct {
	free     [256][256]uint8               // the kinds that no enemy can take, by those that a side and its enemy have left
	places   [2][2][jungle.Kinds][64]int32 // by whether it is free, side, kind and square, see placed; what is gone is worth nothing
	material [256][256]int32               // by the kinds that red and blue have left, seen from red
	mover    int32
}

// men is how many pieces a game begins with.
const men = 2 * jungle.Kinds

// placed is what a piece is worth on a square while all pieces are there, and when none were; between, it is between. Two numbers in one
// add up as two.
func placed(all, none int32) int32 { return all + none<<16 }

// weigh makes what depends on the kinds that are left from what one of them is worth against those of the enemy.
func (t *terms) weigh(worth func(k jungle.Kind, enemy int) int32) {
	var against [jungle.Kinds][256]int32
	for k := range against {
		for enemy := range against[k] {
			against[k][enemy] = worth(jungle.Kind(k), enemy)
		}
	}
	for own := range t.material {
		for enemy := range t.material[own] {
			t.free[own][enemy] = freeOf(own, enemy)
			army := int32(0)
			for left := own; left != 0; left &= left - 1 {
				army += against[bits.TrailingZeros(uint(left))][enemy]
			}
			t.material[own][enemy] += army
			t.material[enemy][own] -= army
		}
	}
}

// freeOf are those kinds of own that none of enemy takes.
func freeOf(own, enemy int) (free uint8) {
	for k, hunters := range hunters {
		if own>>k&1 != 0 && enemy&hunters == 0 {
			free |= 1 << k
		}
	}
	return free
}

// hunters are by kind those that take it off traps.
var hunters = func() (all [jungle.Kinds]int) {
	for k := range all {
		for e := range jungle.Kind(jungle.Kinds) {
			if takes(e, jungle.Kind(k)) {
				all[k] |= 1 << e
			}
		}
	}
	return all
}()

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

// judge is the value of a board for red, but for whose turn it is.
func (t *terms) judge(b *jungle.Board) int32 {
	var left [2]uint
	for k := range jungle.Kind(jungle.Kinds) {
		if b.Square(game.First, k) != jungle.Gone {
			left[0] |= 1 << k
		}
		if b.Square(game.Second, k) != jungle.Gone {
			left[1] |= 1 << k
		}
	}
	red, blue := left[0]&255, left[1]&255
	ours, theirs := t.free[red][blue], t.free[blue][red]
	var places int32
	for k := range jungle.Kind(jungle.Kinds) {
		places += t.places[ours>>k&1][0][k][b.Square(game.First, k)&63] - t.places[theirs>>k&1][1][k][b.Square(game.Second, k)&63]
	}
	all := int32(int16(places))
	none := (places - all) >> 16
	there := int32(bits.OnesCount(red<<8 | blue))
	return (all*there+none*(men-there))/men + int32(t.material[red][blue])
}
