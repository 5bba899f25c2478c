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
	gametest.MovesPerSecond(b, played)
}

// BenchmarkPerft is a depth-first walk: a search without its evaluation.
func BenchmarkPerft(b *testing.B) {
	count, moves := uint64(0), make([]game.Move, 0, 80*4)
	b.ReportAllocs()
	for b.Loop() {
		count += countPlayed(Start(), game.First, 4, moves)
	}
	gametest.MovesPerSecond(b, int(count))
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

// countPlayed counts the sequences of depth moves. Unlike game.Perft it plays boards, as a search does, and the last
// move of each sequence too.
func countPlayed(b Board, side game.Side, depth int, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b
		captured := next.Play(m)
		switch {
		case depth == 1:
			count++
		case captured != King:
			count += countPlayed(next, side.Other(), depth-1, moves)
		}
	}
	return count
}
