package gastank

import (
	"testing"

	"luzhanqi/game"
)

// BenchmarkMovesPlayed generates all moves of many positions and plays each on a copy.
func BenchmarkMovesPlayed(b *testing.B) {
	positions := oraclePositions(b)
	moves := make([]game.Move, 0, 400)
	played, won := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			p := &positions[i]
			moves = p.board.Moves(p.mover, moves[:0])
			for _, m := range moves {
				next := p.board
				if next.Play(m) == King {
					won++
				}
			}
			played += len(moves)
		}
	}
	if won == 0 {
		b.Fatal("no move won anything")
	}
	reportMoves(b, played)
}

// BenchmarkPerft is a depth-first walk: what a search does, without its judgement.
func BenchmarkPerft(b *testing.B) {
	count := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		count += Perft(Start(), game.First, 4)
	}
	reportMoves(b, int(count))
}

func BenchmarkKey(b *testing.B) {
	positions := oraclePositions(b)
	sum := uint64(0)
	for b.Loop() {
		for i := range positions {
			sum += positions[i].board.Key(positions[i].mover)
		}
	}
	if sum == 0 {
		b.Fatal("all keys are equal")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(positions)), "ns/key")
}

// BenchmarkSilent judges a page of output, as the referee does after each silence.
func BenchmarkSilent(b *testing.B) {
	page := []byte("\x1b[1m" + NewPosition().Draw(game.Style{Color: true}) + "I move: D7C5\n" + NewPosition().Draw(game.Style{}) + "Enter your move: ")
	for b.Loop() {
		r := builtIn[defaultAdapter].referee(game.Second)
		r.turn = true
		if n, _, _, found, err := r.Silent(page, false); n == 0 || !found || err != nil {
			b.Fatal(n, found, err)
		}
	}
}

func reportMoves(b *testing.B, moves int) {
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
}
