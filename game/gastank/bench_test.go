package gastank

import (
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
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
			moves = p.Board.Moves(p.Mover, moves[:0])
			for _, m := range moves {
				next := p.Board
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
	gametest.ReportMoves(b, played)
}

// BenchmarkPerft is a depth-first walk: what a search does, without its judgement.
func BenchmarkPerft(b *testing.B) {
	count := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		count += game.Perft(NewPosition(), 4)
	}
	gametest.ReportMoves(b, int(count))
}

func BenchmarkKey(b *testing.B) {
	positions := oraclePositions(b)
	sum := uint64(0)
	for b.Loop() {
		for i := range positions {
			sum += positions[i].Board.Key(positions[i].Mover)
		}
	}
	if sum == 0 {
		b.Fatal("all keys are equal")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(positions)), "ns/key")
}
