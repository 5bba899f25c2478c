package game

// Repetition counts how often each position has occurred. Each bucket is a list that grows at its head, so
// that copies share what they have in common: copying the buckets is all that a new position costs, and a long
// quiet game is not searched from end to end at every ply. The zero value has seen nothing.
type Repetition[P comparable] struct{ buckets [16]*occurrence[P] }

type occurrence[P comparable] struct {
	position P
	times    int
	before   *occurrence[P]
}

// Add counts a position and returns how often it has occurred. The highest four bits of the hash choose the
// bucket; a game that is always short can do with one.
func (r *Repetition[P]) Add(position P, hash uint64) int {
	bucket := &r.buckets[hash>>60]
	times := 1
	for o := *bucket; o != nil; o = o.before {
		if o.position == position { // the latest has counted all before it
			times += o.times
			break
		}
	}
	*bucket = &occurrence[P]{position, times, *bucket}
	return times
}
