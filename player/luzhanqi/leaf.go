package luzhanqi

import (
	"math/rand/v2"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/tables"
)

// judge judges positions of one world from one side's point of view: half the logit of winning.
type judge interface {
	judge(s *state, terms *[network.Terms]float32) float32
}

// Network makes judges by a network.
type Network func(w *world, side game.Side) judge

// Newest judges by the newest network.
func Newest(w *world, side game.Side) judge {
	l := &learned{network: network.Default(), world: w, side: side}
	var rows [64]uint16
	l.sums = l.network.Sum(w.rows(&w.start, rows[:0], side, luzhanqi.EverySquare))
	return l
}

// FrozenNetwork judges by that of commit f665184.
func FrozenNetwork(w *world, side game.Side) judge {
	n := network.F665184()
	return &frozen{network: n, start: &w.start, sums: n.Sum(&w.start.of, &w.start.rank, side)}
}

// learned begins with the start of the world.
type learned struct {
	network *network.Network
	world   *world
	side    game.Side
	sums    network.Sums
}

func (l *learned) judge(s *state, terms *[network.Terms]float32) float32 {
	var come, gone [64]uint16
	w := l.world
	return l.network.Judge(&l.sums, w.rows(s, come[:0], l.side, s.touched), w.rows(&w.start, gone[:0], l.side, s.touched), terms)
}

// rows adds the inputs of the pieces on some squares, as side sees them.
func (w *world) rows(s *state, rows []uint16, side game.Side, on luzhanqi.Squares) []uint16 {
	turn := game.Square(0)
	if side == game.Second {
		turn = tables.SquareCount - 1
	}
	for owner := range game.Side(2) {
		for squares := s.of[owner] & on; squares != 0; squares &= squares - 1 {
			sq := squares.First()
			at := sq
			if turn > 0 {
				at = turn - sq
			}
			rows = append(rows, network.Row(owner == side, s.rank[sq&63], w.seen(s, owner, sq), at))
		}
	}
	return rows
}

// seen is what has been seen of a piece: the highest rank that it has beaten (zero: none), and whether it has moved.
type seen uint8

const hasMoved seen = 1 << 7

// seen is what the enemy has seen of a piece, as the network tells it.
func (w *world) seen(s *state, owner game.Side, sq game.Square) int {
	piece := s.piece[sq&63] & 31
	before, shown := w.before[owner&1][piece], s.shown[owner&1][piece]
	beaten, moved := uint8(before&^hasMoved), before&hasMoved != 0
	switch shown {
	case shownNothing:
	case shownNoNews: // it may have been known before that it can move
		moved = moved || s.touched.Has(sq)
	case shownMobile, shownEngineer:
		moved = true
	default:
		beaten = max(beaten, shown)
	}
	switch rank := s.rank[sq&63]; {
	case beaten > 0 && (rank > luzhanqi.FieldMarshal || beaten+2 >= uint8(rank)):
		return network.Betrayed
	case beaten > 0 || moved:
		return network.Moved
	}
	return network.Unmoved
}

// frozen judges by the network of f665184.
type frozen struct {
	network *network.Frozen
	start   *state
	sums    network.FrozenSums
}

// judge begins with the start of the world where the fewer pieces have moved.
func (f *frozen) judge(s *state, terms *[network.Terms]float32) float32 {
	now := s.of[0] | s.of[1]
	sums := f.sums
	if ((f.start.of[0]|f.start.of[1])&s.touched).Len()+(now&s.touched).Len() >= now.Len() {
		sums = f.network.Sum(&s.of, &s.rank, f.sums.Side())
	} else {
		f.network.Moved(&sums, s.touched, &f.start.of, &s.of, &f.start.rank, &s.rank)
	}
	return f.network.Judge(&sums, terms)
}

// Leaf is what the network is trained on: a position as one side's input.
type Leaf struct {
	Rows     []uint16
	Terms    [network.Terms]float32
	Handmade float32 // half the logit of winning by the handmade terms
	Older    float32 // the same by the network of f665184
}

// Replay follows a game to be learned from, as a playout of it would.
type Replay struct {
	world *world
	now   state
	older [2]judge
}

// NewReplay begins one.
func NewReplay(b *luzhanqi.Board, mover game.Side) *Replay {
	w := newWorld(b, mover, false, bySquare())
	return &Replay{world: w, now: w.start, older: [2]judge{FrozenNetwork(w, game.First), FrozenNetwork(w, game.Second)}}
}

// Play makes a legal move.
func (r *Replay) Play(m game.Move) { r.now.play(m.From, m.To) }

// Leaf is the position as side judges it.
func (r *Replay) Leaf(side game.Side) Leaf {
	terms := r.world.terms(&r.now, side)
	l := Leaf{Rows: r.world.rows(&r.now, nil, side, luzhanqi.EverySquare), Terms: terms, Older: r.older[side].judge(&r.now, &terms)}
	for i, term := range terms {
		l.Handmade += handmade[i] * term
	}
	return l
}

// Quick is the move that a playout would make now, in a world that is drawn: what positions at the end of playouts come of. It is nil
// where nothing was searched for.
func (p *Searcher) Quick(r *rand.Rand) *game.Move {
	s := p.last.search
	if s == nil {
		return nil
	}
	w := s.worlds[s.schedule[r.IntN(len(s.schedule))]]
	now, random := w.start, newRNG(r.Uint64(), 0, 0)
	for side, k := range w.exchanges {
		now.aim[side] = k.draw(uint8(random.next()))
	}
	from, to, ok := w.quick(&now, &random, &moveBuffer{})
	if !ok {
		return nil
	}
	return &game.Move{From: from, To: to}
}
