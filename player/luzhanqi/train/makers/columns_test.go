package main

import (
	"math/rand/v2"
	"testing"

	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/tables"
)

// The flag is guarded on both sides as often, and what is strong stands mostly on the edge that was asked for.
func TestColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, near := range []bool{true, false} {
		const draws = 200
		onEdge, left := 0, 0
		for range draws {
			s := column(near)(r)
			home, mirror := likelihood.HomeOf(s)
			if home != likelihood.Guarded {
				t.Fatalf("%v does not guard its flag", s)
			}
			if !mirror {
				left++
			}
			edge := 0
			if near == mirror {
				edge = tables.Columns - 1
			}
			for sq := range rules.OwnHalf.All() {
				if s.At(sq) >= rules.BrigadierGeneral && s.At(sq) <= rules.FieldMarshal && int(sq)%tables.Columns == edge {
					onEdge++
				}
			}
		}
		if left < draws/3 || left > draws*2/3 {
			t.Errorf("near %v: %d of %d flags are on B1", near, left, draws)
		}
		if mean := float64(onEdge) / draws; mean < 2 { // of six, and five squares
			t.Errorf("near %v: %.2f of the six strongest stand on the edge", near, mean)
		}
	}
}
