package quagmire

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/quagmire"
)

// Counting all squares at once gives what counting one by one gives.
func TestQuagmireSetsAreRight(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 9))
	for range 300 {
		own := quagmire.Squares(r.Uint64() & r.Uint64() & r.Uint64())
		enemy := quagmire.Squares(r.Uint64()&r.Uint64()) &^ own
		empty := ^(own | enemy)
		free, reach := freeAround(empty), slidesOf(own, empty)
		var slides quagmire.Squares
		for sq := range 64 {
			count := 0
			for dx := -1; dx <= 1; dx++ {
				for dy := -1; dy <= 1; dy++ {
					x, y := sq%8+dx, sq/8+dy
					if (dx != 0 || dy != 0) && inside(x, y) && empty.Has(game.Square(8*y+x)) {
						count++
					}
					if (dx == 0 && dy == 0) || !own.Has(game.Square(sq)) {
						continue
					}
					for ; inside(x, y) && empty.Has(game.Square(8*y+x)); x, y = x+dx, y+dy {
						slides |= quagmire.Bit(game.Square(8*y + x))
					}
				}
			}
			for n, s := range free {
				if s.Has(game.Square(sq)) != (n == count) {
					t.Fatalf("%s has %d free squares around, found among those with %d: %v", quagmire.SquareName(game.Square(sq)), count, n, n != count)
				}
			}
		}
		if slides != reach {
			t.Fatalf("own %x, enemy %x: slides %x, want %x", own, enemy, reach, slides)
		}
	}
}

func inside(x, y int) bool { return x >= 0 && x < 8 && y >= 0 && y < 8 }
