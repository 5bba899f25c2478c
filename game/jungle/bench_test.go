package jungle

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gametest"
)

// BenchmarkMovesPlayed generates all moves of many positions and plays each on a copy.
func BenchmarkMovesPlayed(b *testing.B) {
	positions := oraclePositions(b)[:400]
	moves := make([]game.Move, 0, MaxMoves)
	played, won := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			p := &positions[i]
			moves = p.Board.Moves(p.Mover, moves[:0])
			for _, m := range moves {
				next := p.Board.Play(m)
				if _, over := next.Winner(); over {
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
	moves := make([]game.Move, 0, MaxMoves)
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
	count, moves := uint64(0), make([]game.Move, 0, MaxMoves*4)
	b.ReportAllocs()
	for b.Loop() {
		count += countPlayed(Start(Referee), game.First, 4, moves)
	}
	gametest.MovesPerSecond(b, int(count))
}

// BenchmarkRandomGame plays from the start until a game is over, or 150 moves: a playout.
func BenchmarkRandomGame(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	moves := make([]game.Move, 0, MaxMoves)
	played := 0
	b.ReportAllocs()
	for b.Loop() {
		board, side := Start(Referee), game.First
		for range 150 {
			moves = board.Moves(side, moves[:0])
			if len(moves) == 0 {
				break
			}
			m := moves[r.IntN(len(moves))]
			board = board.Play(m)
			played++
			side = side.Other()
			if m.To == Den(side) {
				break
			}
		}
	}
	gametest.MovesPerSecond(b, played)
}

func BenchmarkKey(b *testing.B) {
	positions := oraclePositions(b)[:400]
	sum := uint64(0)
	for b.Loop() {
		for i := range positions {
			sum += positions[i].Board.Key(positions[i].Mover)
		}
	}
	if sum == 0 {
		b.Fatal("keys sum to zero")
	}
}

// countPlayed counts the sequences of depth moves. Unlike game.Perft it plays boards, as a search does, and the last
// move of each sequence too.
func countPlayed(b Board, side game.Side, depth int, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b.Play(m)
		if depth == 1 {
			count++
		} else if m.To != Den(side.Other()) {
			count += countPlayed(next, side.Other(), depth-1, moves)
		}
	}
	return count
}
