package alphabeta

import (
	"math/bits"
	"sync/atomic"

	"luzhanqi/game"
)

// transpositions remembers what positions were found to be worth. Its size is fixed, and any number
// of goroutines may use it: an entry is two words, the second of which is mixed into the first, so
// one that two goroutines wrote at once is taken for that of another position.
type transpositions struct {
	buckets []bucket
	age     uint64 // of the current search, modulo ages
}

// bucket is one cache line.
type bucket [4]struct{ lock, data uint64 }

// bound says on which side of the score the value lies.
type bound uint8

const (
	atMost  bound = 1
	atLeast bound = 2
	exactly bound = atMost | atLeast
)

// ttEntry is what the table tells about a position.
type ttEntry struct {
	move  game.Move // the best; both squares the same: none
	score int32     // plies of proofs are counted from the position
	depth int
	bound bound
}

// noMove stands where no move is known. No board has its squares; in a game of placing pieces any other move
// from a square to itself may be legal.
var noMove = game.Move{From: 255, To: 255}

// The words of an entry, from the lowest bit: move 16, score 16, none 16, depth 8, age 6, bound 2.
const ages = 64

func (e ttEntry) pack(age uint64) uint64 {
	return uint64(e.move.From) | uint64(e.move.To)<<8 | uint64(uint16(e.score))<<16 |
		uint64(uint8(e.depth))<<48 | age<<56 | uint64(e.bound)<<62
}

func unpack(data uint64) ttEntry {
	return ttEntry{
		move:  game.Move{From: game.Square(data), To: game.Square(data >> 8)},
		score: int32(int16(data >> 16)),
		depth: int(uint8(data >> 48)),
		bound: bound(data >> 62),
	}
}

// newTranspositions makes a table of 2^size entries of 16 bytes.
func newTranspositions(size int) *transpositions {
	return &transpositions{buckets: make([]bucket, 1<<max(size-2, 0))}
}

// next begins a new search: what earlier ones left is replaced first.
func (t *transpositions) next() { t.age = (t.age + 1) % ages }

func (t *transpositions) bucket(key uint64) *bucket {
	at, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return &t.buckets[at]
}

// fetch has what get will need brought nearer, while the processor has other things to do.
func (t *transpositions) fetch(key uint64) { prefetch(t.bucket(key)) }

// get looks a position up.
func (t *transpositions) get(key uint64) (ttEntry, bool) {
	b := t.bucket(key)
	for i := range b {
		data := atomic.LoadUint64(&b[i].data)
		if atomic.LoadUint64(&b[i].lock)^data == key && data != 0 {
			return unpack(data), true
		}
	}
	return ttEntry{move: noMove}, false
}

// put stores what is known of a position, in the place of what it knew of the same, or of what is
// worth least: from an early search, or of little depth.
func (t *transpositions) put(key uint64, e ttEntry) {
	b := t.bucket(key)
	at, lowest := 0, 1<<30
	for i := range b {
		data := atomic.LoadUint64(&b[i].data)
		if atomic.LoadUint64(&b[i].lock)^data == key {
			old := unpack(data)
			if e.move == noMove {
				e.move = old.move
			}
			if old.isProof() && !e.isProof() || data>>56%ages == t.age && e.bound != exactly && e.depth+3 < old.depth && !e.isProof() {
				return
			}
			at = i
			break
		}
		old := t.age - data>>56%ages
		worth := int(uint8(data>>48)) - 8*int(old%ages)
		if data == 0 {
			worth = -1 << 20
		}
		if worth < lowest {
			at, lowest = i, worth
		}
	}
	data := e.pack(t.age)
	atomic.StoreUint64(&b[at].lock, key^data)
	atomic.StoreUint64(&b[at].data, data)
}

// isProof says that an entry tells who wins, however deep it was searched.
func (e ttEntry) isProof() bool {
	return e.score >= proven && e.bound&atLeast != 0 || e.score <= -proven && e.bound&atMost != 0
}
