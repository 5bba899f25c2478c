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
func (p *repetition) push(key uint64, final bool) {
	p.keys = append(p.keys, key)
	p.starts = append(p.starts, p.start)
	p.seen[key%uint64(len(p.seen))]++
	if final {
		p.start = len(p.keys)
	}
}

func (p *repetition) pop() {
	n := len(p.keys) - 1
	p.start = p.starts[n]
	p.seen[p.keys[n]%uint64(len(p.seen))]--
	p.keys, p.starts = p.keys[:n], p.starts[:n]
}

// has says whether a position has occurred since something final happened.
func (p *repetition) has(key uint64) bool {
	if p.seen[key%uint64(len(p.seen))] == 0 {
		return false
	}
	for i := len(p.keys) - 4; i >= p.start; i -= 2 {
		if p.keys[i] == key {
			return true
		}
	}
	return false
}
