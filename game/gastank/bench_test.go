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

func reportMoves(b *testing.B, moves int) {
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
}
