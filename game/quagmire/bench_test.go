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
	gametest.ReportMoves(b, played)
}

// BenchmarkPerft is a depth-first walk: what a search does, without its judgement.
func BenchmarkPerft(b *testing.B) {
	count := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		count += game.Perft(NewPosition(), 3)
	}
	gametest.ReportMoves(b, int(count))
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
	gametest.ReportMoves(b, played)
}

func BenchmarkKey(b *testing.B) {
	board := Start()
	sum := uint64(0)
	for b.Loop() {
		sum += board.Key(game.Side(sum & 1))
	}
}
