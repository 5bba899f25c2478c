package player

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"luzhanqi/game/luzhanqi"
)

// Levels are opponents by which students are graded: what they play must not change by accident, nor
// with the limit. Who changes it on purpose measures the levels again and puts the new numbers here.
func TestLevelsPlayAsEver(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors may round differently")
	}
	for name, want := range map[string]string{
		"greedy": "b3835115", "rush": "3a92467d", "easy": "c6150e4c", "medium": "2f9bbad6",
	} {
		for _, limit := range []time.Duration{10 * time.Millisecond, time.Hour} {
			level, err := FindLevel(luzhanqi.Game{}, name)
			if err != nil {
				t.Fatal(err)
			}
			players := [2]Player{level.New(luzhanqi.Game{}, Options{}), level.New(luzhanqi.Game{}, Options{})}
			var setUps, moves [2]*rand.Rand
			for side := range players {
				setUps[side], moves[side] = newRand(uint64(side)), newRand(uint64(side)+9)
			}
			p, o := playOne(t, players, setUps, moves, 60, limit)
			h := fnv.New32a()
			board := p.Board()
			fmt.Fprint(h, board.String(), p.Ply(), o)
			if got := fmt.Sprintf("%08x", h.Sum32()); got != want {
				t.Errorf("%s at %v: %s, must be %s", name, limit, got, want)
			}
		}
	}
}
