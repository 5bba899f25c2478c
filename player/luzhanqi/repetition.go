package luzhanqi

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// repetition counts the configurations since the last capture, as the rule of repetition does. It tells
// pieces apart that have the same rank, so it never counts more than the referee.
type repetition struct {
	ply   int
	piece [64]uint8 // by square: the side and initial square of the piece, plus one
	hash  uint64
	seen  map[uint64]int // nil: not begun
}

func (r *repetition) begin() {
	*r = repetition{seen: map[uint64]int{}}
	for sq := range (luzhanqi.EverySquare &^ luzhanqi.Camps).All() {
		r.piece[sq] = uint8(sq) + 1
		r.hash ^= key(r.piece[sq], sq)
	}
}

// key is the share that a piece on a square has in the hash.
func key(piece uint8, sq game.Square) uint64 {
	s := rng(uint64(piece)<<6 | uint64(sq))
	return s.next()
}

// update takes in what the view has seen since the last time.
func (r *repetition) update(v *luzhanqi.View) {
	if r.seen == nil || v.Ply() < r.ply {
		r.begin()
	}
	for _, o := range v.Since(r.ply) {
		from, to := o.Move.From&63, o.Move.To&63
		if o.Result != luzhanqi.Quiet {
			r.hash ^= key(r.piece[from], from) ^ key(r.piece[to], to)
			switch {
			case !o.Result.AttackerFalls():
				r.piece[to] = r.piece[from]
			case o.Result.DefenderFalls():
				r.piece[to] = 0
			}
			r.piece[from] = 0
			r.hash ^= key(r.piece[to], to) ^ key(0, from)
			clear(r.seen)
			continue
		}
		r.hash = r.after(o.Move)
		r.piece[to], r.piece[from] = r.piece[from], 0
		r.seen[r.hash]++
	}
	r.ply = v.Ply()
}

// after is the hash after a quiet move.
func (r *repetition) after(m game.Move) uint64 {
	from, to := m.From&63, m.To&63
	return r.hash ^ key(r.piece[from], from) ^ key(r.piece[from], to) ^ key(r.piece[to], to) ^ key(0, from)
}

// times is how often the configuration after a quiet move has occurred.
func (r *repetition) times(m game.Move) int { return r.seen[r.after(m)] }
