package endgame

import (
	"testing"

	"luzhanqi/game/jungle"
)

// BenchmarkSolve makes the table of one pair of animals.
func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		solve(jungle.Referee, jungle.Lion, jungle.Rat)
	}
}
