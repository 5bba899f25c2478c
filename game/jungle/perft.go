package jungle

import "luzhanqi/game"

// Perft counts the sequences of exactly depth moves that begin with a move of side. An entered den
// ends a sequence. Every move is played, the last one too: the count then tests Play as well as
// Moves, and its time is that of both.
func Perft(b Board, side game.Side, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if _, over := b.Winner(); over {
		return 0
	}
	return perft(b, side, depth, make([]game.Move, 0, MaxMoves*depth))
}

// perft appends its moves to those of the levels above, so that all share one slice.
func perft(b Board, side game.Side, depth int, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b.Play(m)
		if depth == 1 {
			count++
		} else if m.To != Den(side.Other()) {
			count += perft(next, side.Other(), depth-1, moves)
		}
	}
	return count
}
