package luzhanqi

import "luzhanqi/game"

// Perft counts the sequences of exactly depth legal moves that begin with a move of side. Captured
// flags end a sequence; repetition is not looked at. Every move is played, the last one too: the
// count then tests Play as well as Moves, and its time is that of both.
func Perft(b Board, side game.Side, depth int, minesStay bool) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(b, side, depth, minesStay, make([]game.Move, 0, 100*depth))
}

// perft appends its moves to those of the levels above, so that all share one slice. The board is
// passed by value since a pointer into a recursive function would put every board on the heap.
func perft(b Board, side game.Side, depth int, minesStay bool, moves []game.Move) (count uint64) {
	above := len(moves)
	moves = b.Moves(side, moves)
	for _, m := range moves[above:] {
		next := b
		result, _, _ := next.Play(m, minesStay)
		switch {
		case depth == 1:
			count++
		case result != FlagTaken:
			count += perft(next, side.Other(), depth-1, minesStay, moves)
		}
	}
	return count
}
