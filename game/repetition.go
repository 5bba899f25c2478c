package game

// Repetition counts how often each position has occurred. Each bucket is eight lists that grow at their heads, so
// that copies share what they have in common: copying the buckets is all that a new position costs, and a long
// quiet game is not searched from end to end at every ply. The zero value has seen nothing.
type Repetition[P comparable] struct{ buckets [16]*Occurrence[P] }

// Occurrence is one occurrence of a position. Whoever allocates much at a time makes it part of that, for [Repetition.AddAs].
type Occurrence[P comparable] struct {
	hash     uint64
	before   [8]*Occurrence[P] // the latest of each list of the bucket
	position P
	times    int
}

// list is which of the bucket's it is in.
func list(hash uint64) int { return int(hash >> 57 & 7) }

// Add counts a position and returns how often it has occurred. The highest seven bits of the hash choose the
// bucket and the list; a game that is always short can do with one.
func (r *Repetition[P]) Add(position P, hash uint64) int {
	return r.AddAs(&Occurrence[P]{}, &position, hash)
}

// AddAs is Add that keeps the position in o, which then belongs to this and to all copies of it.
func (r *Repetition[P]) AddAs(o *Occurrence[P], position *P, hash uint64) int {
	bucket := &r.buckets[hash>>60]
	times := 1
	for before := *bucket; before != nil; before = before.before[list(hash)] { // the first may be of another list
		if before.hash == hash && before.position == *position { // the latest has counted all before it
			times += before.times
			break
		}
	}
	o.hash, o.position, o.times = hash, *position, times
	if latest := *bucket; latest != nil {
		o.before = latest.before
		o.before[list(latest.hash)] = latest
	}
	*bucket = o
	return times
}
