package alphabeta

// repetition holds the keys of the positions that led to the current one, those of the game first, so that
// one that recurs is noticed.
type repetition struct {
	keys   []uint64
	starts []int // for each key: the first index that the position after it could equal
	start  int
	// seen counts the keys by their low bits, which usually saves looking.
	seen [1 << 10]uint16
}

// push adds the position that is left. Final says that no position before can come back.
func (r *repetition) push(key uint64, final bool) {
	r.keys = append(r.keys, key)
	r.starts = append(r.starts, r.start)
	r.seen[key%uint64(len(r.seen))]++
	if final {
		r.start = len(r.keys)
	}
}

func (r *repetition) pop() {
	n := len(r.keys) - 1
	r.start = r.starts[n]
	r.seen[r.keys[n]%uint64(len(r.seen))]--
	r.keys, r.starts = r.keys[:n], r.starts[:n]
}

// has says whether a position has occurred since something final happened.
func (r *repetition) has(key uint64) bool {
	if r.seen[key%uint64(len(r.seen))] == 0 {
		return false
	}
	for i := len(r.keys) - 4; i >= r.start; i -= 2 {
		if r.keys[i] == key {
			return true
		}
	}
	return false
}
