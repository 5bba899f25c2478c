package luzhanqi

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// BenchmarkMovesPlayed generates all moves of many positions and plays each on a copy.
func BenchmarkMovesPlayed(b *testing.B) {
	positions := oraclePositions(b)[:400]
	moves := make([]game.Move, 0, 400)
	played, won := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			p := &positions[i]
			moves = p.Board.Moves(p.Mover, moves[:0])
			for _, m := range moves {
				next := p.Board
				if result, _, _ := next.Play(m, false); result == Win {
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

// BenchmarkMoves only generates.
func BenchmarkMoves(b *testing.B) {
	positions := oraclePositions(b)[:400]
	moves := make([]game.Move, 0, 400)
	found := 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			moves = positions[i].Board.Moves(positions[i].Mover, moves[:0])
			found += len(moves)
		}
	}
	gametest.MovesPerSecond(b, found)
}

// BenchmarkPerft is a depth-first walk: a search without its evaluation.
func BenchmarkPerft(b *testing.B) {
	const depth = 4
	board, moves := perftCases(b)[0].board, make([]game.Move, 0, 100*depth)
	count := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		count += countPlayed(board, game.First, depth, moves)
	}
	gametest.MovesPerSecond(b, int(count))
}

// BenchmarkRandomGame plays from random set-ups until a flag is taken, somebody cannot move, or
// 500 moves: what a playout does.
func BenchmarkRandomGame(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	moves := make([]game.Move, 0, 400)
	played := 0
	b.ReportAllocs()
	for b.Loop() {
		board, side := Deploy(RandomSetUp(r), RandomSetUp(r)), game.First
		for range 500 {
			moves = board.Moves(side, moves[:0])
			if len(moves) == 0 {
				break
			}
			played++
			if result, _, _ := board.Play(moves[r.IntN(len(moves))], false); result == FlagTaken {
				break
			}
			side = side.Other()
		}
	}
	gametest.MovesPerSecond(b, played)
}

func BenchmarkHasMove(b *testing.B) {
	positions := oraclePositions(b)[:400]
	for b.Loop() {
		for i := range positions {
			if !positions[i].Board.HasMove(positions[i].Mover) && len(positions[i].Board.Moves(positions[i].Mover, nil)) > 0 {
				b.Fatal("wrong")
			}
		}
	}
}

func BenchmarkRandomSetUp(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		RandomSetUp(r)
	}
}

// countPlayed counts the sequences of depth moves. Unlike game.Perft it plays boards, as a search does, and the last
// move of each sequence too.
func countPlayed(b Board, side game.Side, depth int, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b
		result, _, _ := next.Play(m, false)
		switch {
		case depth == 1:
			count++
		case result != FlagTaken:
			count += countPlayed(next, side.Other(), depth-1, moves)
		}
	}
	return count
}
