package game

import "math/bits"

// Repetition counts how often each position has occurred. Each bucket is a binary tree by the bits of the hash that grows at its
// root, so that copies share what they have in common: copying the buckets is all that a new position costs, and a long
// quiet game is not searched from end to end at every ply. The zero value has seen nothing.
type Repetition[P comparable] struct {
	buckets [1 << bucketBits]*Occurrence[P]
}

const (
	bucketBits = 4
	levels     = 7 // of a bucket's tree
)

// Occurrence is one occurrence of a position. Whoever allocates much at a time makes it part of that, for [Repetition.AddAs].
type Occurrence[P comparable] struct {
	hash     uint64
	beside   [levels]*Occurrence[P] // the latest of those that share so many bits after the bucket's with it, and not the next
	before   *Occurrence[P]         // the latest of those that share all levels with it
	position P
	times    int
}

// Add counts a position and returns how often it has occurred. The highest bits of the hash choose the
// bucket and the place in its tree; a game that is always short can do with one.
func (r *Repetition[P]) Add(position P, hash uint64) int {
	return r.AddAs(&Occurrence[P]{}, &position, hash)
}

// AddAs is Add that keeps the position in o, which then belongs to this and to all copies of it.
func (r *Repetition[P]) AddAs(o *Occurrence[P], position *P, hash uint64) int {
	bucket := &r.buckets[hash>>(64-bucketBits)]
	latest := *bucket
	for level := 0; latest != nil; level++ {
		for same := min(levels, bits.LeadingZeros64((latest.hash^hash)<<bucketBits)); level < same; level++ {
			o.beside[level] = latest.beside[level]
		}
		if level == levels {
			break
		}
		o.beside[level], latest = latest, latest.beside[level]
	}
	o.hash, o.before, o.position, o.times = hash, latest, *position, 1
	for before := latest; before != nil; before = before.before {
		if before.hash == hash && before.position == *position { // the latest has counted all before it
			o.times += before.times
			break
		}
	}
	*bucket = o
	return o.times
}
