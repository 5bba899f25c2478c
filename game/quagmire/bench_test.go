package quagmire

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// BenchmarkMovesPlayed generates all moves of many positions and plays each on a copy.
func BenchmarkMovesPlayed(b *testing.B) {
	positions := oraclePositions(b)[:400]
	moves := make([]game.Move, 0, 300)
	played, stuck := 0, Squares(0)
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			p := &positions[i]
			moves = p.Board.Moves(p.Mover, moves[:0])
			for _, m := range moves {
				next := p.Board
				next.Play(m)
				stuck |= next.Quagmired(p.Mover) // whether the move loses
			}
			played += len(moves)
		}
	}
	if stuck == 0 {
		b.Fatal("no move lost")
	}
	gametest.MovesPerSecond(b, played)
}

// BenchmarkPerft is a depth-first walk: a search without its evaluation.
func BenchmarkPerft(b *testing.B) {
	count, moves := uint64(0), make([]game.Move, 0, 150*3)
	b.ReportAllocs()
	for b.Loop() {
		count += countPlayed(Start(), game.First, 3, moves)
	}
	gametest.MovesPerSecond(b, int(count))
}

// BenchmarkRandomGame plays from the start until the rules or 400 plies end it.
func BenchmarkRandomGame(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	moves := make([]game.Move, 0, 300)
	played := 0
	b.ReportAllocs()
	for b.Loop() {
		board, side := Start(), game.First
		for range 400 {
			moves = board.Moves(side, moves[:0])
			if len(moves) == 0 {
				break
			}
			played++
			board.Play(moves[r.IntN(len(moves))])
			if board.Quagmired(side) != 0 {
				break
			}
			side = side.Other()
		}
	}
	gametest.MovesPerSecond(b, played)
}

func BenchmarkKey(b *testing.B) {
	board := Start()
	sum := uint64(0)
	for b.Loop() {
		sum += board.Key(game.Side(sum & 1))
	}
}

// countPlayed counts the sequences of depth moves. Unlike game.Perft it plays boards, as a search does, and the last
// move of each sequence too.
func countPlayed(b Board, side game.Side, depth int, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b
		next.Play(m)
		switch {
		case depth == 1:
			count++
		case next.Quagmired(side) == 0: // who cannot move has no continuation anyway
			count += countPlayed(next, side.Other(), depth-1, moves)
		}
	}
	return count
}
