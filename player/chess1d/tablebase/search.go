package tablebase

import (
	"math/bits"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
)

// state is a placement in eight nibbles, the first army's lowest.
type state uint32

func pack(at squares) (p state) {
	for piece, sq := range at {
		p |= state(sq) << (4 * piece)
	}
	return p
}

func (p state) at(piece int) uint8 { return uint8(p >> (4 * piece) & 15) }

// put moves a piece, and nothing else.
func (p state) put(piece int, sq uint8) state {
	shift := 4 * piece
	return p&^(15<<shift) | state(sq)<<shift
}

// step is one move: which piece goes where.
type step struct{ piece, to uint8 }

// search looks for forced results within so many plies, by α-β with a table of what was found. What it
// finds within a depth depends on nothing but the position and the depth, so repetition cannot confuse
// it and the table serves all depths; and deepening finds the shortest way.
type search struct {
	reach [2 * places]reach
	draws bool // having no legal move draws; else it loses
	found []entry
	shift int    // 64 less the logarithm of the number of entries
	exact *table // if not nil, it knows the value of every position that can be met

	deadline time.Time
	most     int // nodes; zero: no limit
	nodes    int
	stopped  bool // by the deadline or the limit of nodes
}

// entry is what is known of a position: its key; the result and the number of plies in which it can
// be forced (0: none is known); in how many plies there is no win, and in how many no loss.
type entry struct {
	key              uint64
	n, noWin, noLoss uint8
	result           Value
	best             step
}

// foundBits is the logarithm of the number of entries, of 16 bytes each, unless few nodes need less.
const foundBits = 22

// newSearch makes a search with room for what so many nodes find; zero: for any number.
func newSearch(m matchup, draws bool, nodes int) *search {
	size := foundBits
	if nodes > 0 {
		size = min(size, bits.Len(uint(nodes))+1)
	}
	return &search{reach: m.reaches(), draws: draws, found: make([]entry, 1<<size), shift: 64 - size}
}

// begin starts the clock and the count of nodes.
func (s *search) begin(deadline time.Time, nodes int) {
	s.deadline, s.most, s.nodes, s.stopped = deadline, nodes, 0, false
}

// count counts a node and looks at the limits.
func (s *search) count() {
	s.nodes++
	if s.nodes&1023 == 0 && !clock.Now().Before(s.deadline) || s.most > 0 && s.nodes >= s.most {
		s.stopped = true
	}
}

// probe returns the entry in which a position would be, and its key, which is never zero.
func (s *search) probe(p state, side int) (*entry, uint64) {
	key := uint64(p)<<1 | uint64(side) | 1<<40
	return &s.found[key*0x9e3779b97f4a7c15>>s.shift], key
}

// occupied returns the squares of each army.
func (p state) occupied() (of [2]uint16) {
	for piece := range 2 * places {
		of[piece/places] |= bit(p.at(piece))
	}
	return of
}

// moves appends the moves of a side, captures first; wins says that one takes the royal piece.
func (s *search) moves(p state, side int, dst []step) (all []step, wins bool) {
	of := p.occupied()
	own, enemy := of[side], of[1-side]
	royalAt := bit(p.at((1-side)*places + royal))
	empty := onBoard &^ (own | enemy)
	for _, capturing := range [2]bool{true, false} {
		for piece := side * places; piece < (side+1)*places; piece++ {
			r := &s.reach[piece][p.at(piece)]
			to := r.moves & empty
			if capturing {
				to = r.captures & enemy
				if to&royalAt != 0 {
					return append(dst[:0], step{uint8(piece), uint8(bits.TrailingZeros16(royalAt))}), true
				}
			}
			for ; to != 0; to &= to - 1 {
				dst = append(dst, step{uint8(piece), uint8(bits.TrailingZeros16(to))})
			}
		}
	}
	return dst, false
}

// play makes a move that takes no royal piece.
func (p state) play(m step, side int) state {
	for piece := (1 - side) * places; piece < (2-side)*places; piece++ {
		if p.at(piece) == m.to {
			p = p.put(piece, off)
			break
		}
	}
	return p.put(int(m.piece), m.to)
}

// value returns what the side to move can force within depth plies, between alpha and beta (fail-hard
// on the three values), and in how many plies, when it is a win or a loss.
func (s *search) value(p state, side, depth int, alpha, beta Value) (Value, int) {
	e, key := s.probe(p, side)
	var hint step
	if e.key == key {
		if e.n != 0 && int(e.n) <= depth {
			return e.result, int(e.n)
		}
		if int(e.noLoss) >= depth {
			alpha = max(alpha, Draw)
		}
		if int(e.noWin) >= depth {
			beta = min(beta, Draw)
		}
		if alpha >= beta {
			return Draw, 0
		}
		hint = e.best
	}
	if depth == 0 {
		return Draw, 0
	}
	if s.exact != nil {
		switch s.exact.value(p, game.Side(side)) {
		case Draw:
			return Draw, 0
		case Win:
			alpha = max(alpha, Draw)
		case Loss:
			beta = min(beta, Draw)
		}
		if alpha >= beta {
			return Draw, 0
		}
	}
	if s.count(); s.stopped {
		return Draw, 0
	}
	var buffer [16]step
	moves, wins := s.moves(p, side, buffer[:0])
	switch {
	case wins:
		return s.store(p, side, depth, Win, 1, moves[0], Win, alpha)
	case len(moves) == 0 && s.draws:
		return Draw, 0
	case len(moves) == 0:
		return s.store(p, side, depth, Loss, 1, step{}, beta, alpha)
	}
	for n, m := range moves {
		if m == hint {
			copy(moves[1:n+1], moves[:n])
			moves[0] = m
			break
		}
	}
	if beta == Draw && depth > 2 && s.known(p, side, moves, depth-1) {
		return Draw, 0
	}
	best, plies, first := Loss, 0, step{}
	low := alpha
	for _, m := range moves {
		v, n := s.value(p.play(m, side), 1-side, depth-1, -beta, -low)
		if s.stopped {
			return Draw, 0
		}
		switch v = -v; {
		case v > best:
			best, plies, first = v, n+1, m
		case v == Loss && best == Loss && n+1 > plies:
			plies, first = n+1, m
		}
		if low = max(low, best); low >= beta {
			break
		}
	}
	return s.store(p, side, depth, best, plies, first, beta, alpha)
}

// store keeps what a search has found: a value at least beta is a lower bound, one at most alpha an
// upper one.
func (s *search) store(p state, side, depth int, v Value, plies int, best step, beta, alpha Value) (Value, int) {
	e, key := s.probe(p, side)
	if e.key != key {
		*e = entry{key: key}
	}
	e.best = best
	switch {
	case v == Win, v == Loss:
		if e.n == 0 || plies < int(e.n) {
			e.result, e.n = v, uint8(plies)
		}
	default:
		if v < beta { // no win was found where one was looked for
			e.noWin = max(e.noWin, uint8(depth))
		}
		if v > alpha {
			e.noLoss = max(e.noLoss, uint8(depth))
		}
	}
	return v, plies
}

// known says whether it has been found before that a move leads where the opponent cannot win within
// depth plies. Asking for all moves before any is searched saves an eighth of the nodes.
func (s *search) known(p state, side int, moves []step, depth int) bool {
	for _, m := range moves {
		e, key := s.probe(p.play(m, side), 1-side)
		if e.key == key && e.n == 0 && int(e.noWin) >= depth {
			return true
		}
	}
	return false
}
