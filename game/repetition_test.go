package game_test

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
)

// TestRepetition compares with a map, in games that branch: a copy must not see what is added to another.
func TestRepetition(t *testing.T) {
	t.Parallel()
	for _, hash := range map[string]func(int) uint64{
		"spread": func(p int) uint64 { return uint64(p) * 0x9e3779b97f4a7c15 },
		"few":    func(p int) uint64 { return uint64(p%5) * 0x9e3779b97f4a7c15 },
		"close":  func(p int) uint64 { return uint64(p) << 52 }, // differ in the bits of a tree, and where it ends
		"none":   func(int) uint64 { return 0 },
	} {
		r := rand.New(rand.NewPCG(1, 1))
		type line struct {
			seen  game.Repetition[int]
			times map[int]int
		}
		lines := []line{{times: map[int]int{}}}
		for range 5000 {
			at := r.IntN(len(lines))
			l := lines[at]
			if r.IntN(20) == 0 && len(lines) < 30 {
				times := map[int]int{}
				for p, n := range l.times {
					times[p] = n
				}
				lines = append(lines, line{seen: l.seen, times: times})
			}
			p := r.IntN(300)
			l.times[p]++
			if got := l.seen.Add(p, hash(p)); got != l.times[p] {
				t.Fatalf("position %d occurred %d times, want %d", p, got, l.times[p])
			}
			lines[at] = l
		}
	}
}
