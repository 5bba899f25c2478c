package chess1d

import "luzhanqi/game"

// Perft counts the sequences of exactly depth legal moves that begin with a move of side. A captured
// royal piece ends a sequence; repetition is not looked at. Every move is played, the last one too.
func Perft(b Board, side game.Side, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(b, side, depth, make([]game.Move, 0, 16*depth))
}

// perft appends its moves to those of the levels above, so that all share one slice.
func perft(b Board, side game.Side, depth int, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b
		_, royal := next.Play(m)
		switch {
		case depth == 1:
			count++
		case !royal:
			count += perft(next, side.Other(), depth-1, moves)
		}
	}
	return count
}
