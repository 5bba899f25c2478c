package game

// Perft counts the sequences of exactly depth legal moves from a position. A game that has ended has no
// continuation, but repetition ends none.
func Perft(pos Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	moves := pos.Moves(nil)
	if depth == 1 {
		return uint64(len(moves))
	}
	if r, ok := pos.(interface{ WithoutPast() Position }); ok {
		pos = r.WithoutPast()
	}
	count := uint64(0)
	for _, m := range moves {
		count += Perft(pos.Play(m), depth-1)
	}
	return count
}
