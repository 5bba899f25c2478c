package luzhanqi

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// history counts the configurations since the last capture, as the rule of repetition does. It tells
// pieces apart that have the same rank, so it never counts more than the referee.
type repetition struct {
	ply   int
	begun bool
	piece [64]uint8 // by square: the side and initial square of the piece, plus one
	hash  uint64
	seen  map[uint64]int
	quiet int // plies since the last capture
}

func (h *repetition) begin() {
	*h = repetition{begun: true, seen: map[uint64]int{}}
	for sq := range (luzhanqi.EverySquare &^ luzhanqi.Camps).All() {
		h.piece[sq] = uint8(sq) + 1
		h.hash ^= key(h.piece[sq], sq)
	}
}

// key is the share that a piece on a square has in the hash.
func key(piece uint8, sq game.Square) uint64 {
	s := rng(uint64(piece)<<6 | uint64(sq))
	return s.next()
}

// update takes in what the view has seen since the last time.
func (h *repetition) update(v *luzhanqi.View) {
	if !h.begun || v.Ply() < h.ply {
		h.begin()
	}
	for _, o := range v.Since(h.ply) {
		from, to := o.Move.From&63, o.Move.To&63
		if o.Result != luzhanqi.Quiet {
			h.hash ^= key(h.piece[from], from) ^ key(h.piece[to], to)
			switch {
			case !o.Result.AttackerFalls():
				h.piece[to] = h.piece[from]
			case o.Result.DefenderFalls():
				h.piece[to] = 0
			}
			h.piece[from] = 0
			h.hash ^= key(h.piece[to], to) ^ key(0, from)
			clear(h.seen)
			h.quiet = 0
			continue
		}
		h.hash = h.after(o.Move)
		h.piece[to], h.piece[from] = h.piece[from], 0
		h.seen[h.hash]++
		h.quiet++
	}
	h.ply = v.Ply()
}

// after is the hash after a quiet move.
func (h *repetition) after(m game.Move) uint64 {
	from, to := m.From&63, m.To&63
	return h.hash ^ key(h.piece[from], from) ^ key(h.piece[from], to) ^ key(h.piece[to], to) ^ key(0, from)
}

// times is how often the configuration after a quiet move has occurred.
func (h *repetition) times(m game.Move) int { return h.seen[h.after(m)] }
