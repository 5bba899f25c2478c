package console

import (
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// BenchmarkSilent judges a page of output, as the referee does after each silence.
func BenchmarkSilent(b *testing.B) {
	page := []byte("\x1b[1m" + gastank.NewPosition().Draw(game.DrawStyle{Color: true}) + "I move: D7C5\n" + gastank.NewPosition().Draw(game.DrawStyle{}) + "Enter your move: ")
	for b.Loop() {
		r := builtIn[0]().referee(game.Second)
		r.turn = true
		if n, _, _, found, err := r.Silent(page, false); n == 0 || !found || err != nil {
			b.Fatal(n, found, err)
		}
	}
}
