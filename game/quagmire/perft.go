package quagmire

import "luzhanqi/game"

// Perft counts the sequences of exactly depth legal moves that begin with a move of side. A game
// that has ended has no continuation. Every move is played, the last one too: the count then tests
// Play as well as Moves, and its time is that of both.
func Perft(b Board, side game.Side, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(b, side, depth, make([]game.Move, 0, 150*depth))
}

// perft appends its moves to those of the levels above, so that all share one slice. The board is
// passed by value since a pointer into a recursive function would put every board on the heap.
func perft(b Board, side game.Side, depth int, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b
		next.Play(m)
		switch {
		case depth == 1:
			count++
		case next.Quagmired(side) == 0: // who cannot move has no continuation anyway
			count += perft(next, side.Other(), depth-1, moves)
		}
	}
	return count
}
