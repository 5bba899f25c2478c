package luzhanqi

import (
	"math/bits"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/policy"
	"luzhanqi/player/luzhanqi/tables"
)

// world is one answer to everything hidden, ready to be played out.
type world struct {
	start     state
	exchanges [2]*exchanges // by side: what it knows of the other
	guards    [2]luzhanqi.Squares
	sums      *network.Sums  // of start, for the network by which leaves are judged; nil: none
	ways      *ways          // of the enemy that storms; nil: it does not
	policy    *policy.Policy // by which moves are drawn that no storm chooses; nil: the quick policy chooses them
	everyGate bool           // the quick policy looks at every square next to a flag that a piece can enter, not the first only
}

// newWorld makes a world in which a board is the truth; what the sides know is left to the caller.
func newWorld(b *luzhanqi.Board, mover game.Side, minesStay bool, number numbering) *world {
	w := &world{start: newState(b, mover, minesStay, number)}
	w.start.value()
	for side, sq := range w.start.flag { // a headquarters is no railway square: what takes the flag is a step away
		w.guards[side] = tables.Paths[sq].Attackers
	}
	return w
}

// playout plays up to so many plies from s, each side by the policy of playouts or by the quick one, and returns how many
// it played.
func (w *world) playout(s *state, plies int, r *rng, b *moveBuffer) int {
	for n := range plies {
		if s.lost != 0 {
			return n
		}
		var from, to game.Square
		var ok bool
		if s.ahead[s.mover&1] == storming {
			from, to, ok = w.storm(s, r, b)
		} else if w.policy != nil {
			from, to, ok = w.soft(s, r, b)
		} else {
			from, to, ok = w.quick(s, r, b)
		}
		if !ok {
			s.lost = int8(s.mover) + 1
			return n
		}
		if b.line != nil {
			b.line.add(keyOf(s.rank[from&63], to))
		}
		s.play(from, to)
	}
	return plies
}

// The weights of the quick policy, in the unit of material.
const (
	saveFlag  = 2500 // for taking a piece that could take the flag next
	nearFlag  = 120  // for taking one that is near the own flag
	atGate    = 2    // steps ahead that an attack next to the enemy's flag is worth besides
	steady    = 30   // for a step towards the enemy's flag
	rushing   = 150  // the same of a side that rushes
	storming  = 255  // a side whose moves [world.storm] chooses
	enterGate = 350  // for entering an open square next to the enemy's flag
	shutGate  = 200  // for entering one next to the own flag when somebody is near
	doubt     = 63   // moves that differ by less are drawn at random
	settled   = 400  // a move so good makes looking at quiet ones a waste
	tries     = 4    // quiet moves looked at
)

// moveBuffer is where quick and soft lay out what can move, and what it knows of earlier playouts; one serves all playouts of a
// worker, since clearing it for every ply would cost as much as judging a move.
type moveBuffer struct {
	targets [64]luzhanqi.Squares // by the square of a piece
	quiet   [32]game.Square      // of the pieces that can go where no foe is
	drafts  [mostMoves]drafted   // of the policy
	highest int                  // the number of the one with the highest score
	prefer  *preferences         // nil: nothing was learned
	line    *line                // where the moves are kept; nil: nowhere
}

// lay lays out where the pieces of the mover can go, and returns how many can go where no foe is, and
// which can go to one of the sharp squares, those that it asks about. Which pieces these are is too
// irregular for a processor to predict, so there is no branch on it. An engineer that can turn can also
// go where no foe is without turning.
func (s *state) lay(b *moveBuffer, foes, sharp luzhanqi.Squares) (quiet int, keen luzhanqi.Squares) {
	occupied := s.of[0] | s.of[1]
	barred := s.of[s.mover&1] | occupied&luzhanqi.Camps
	movable := s.movable(barred)
	for movers := movable; movers != 0; movers &= movers - 1 {
		sq := movers.First() & 63
		w := &tables.Paths[sq]
		t := (w.Steps | w.Lines(occupied)) &^ barred
		b.targets[sq] = t
		b.quiet[quiet&31] = sq
		if t&^foes != 0 {
			quiet++
		}
		at := movers & -movers
		if t&sharp == 0 {
			at = 0
		}
		keen |= at
	}
	for turning := movable & s.engineers & luzhanqi.Railway; turning != 0; turning &= turning - 1 {
		sq := turning.First() & 63
		t := b.targets[sq] | luzhanqi.RailwayFrom(sq, occupied)&^barred
		if b.targets[sq] = t; t&sharp != 0 {
			keen |= turning & -turning
		}
	}
	return quiet, keen
}

// aimed is the headquarters that the mover makes for: the other one once no foe stands in the first.
func (s *state) aimed(foes luzhanqi.Squares) game.Square {
	me := s.mover & 1
	aim := s.aim[me]
	if foes&luzhanqi.Bit(aim) == 0 {
		aim ^= 2
		s.aim[me] = aim
	}
	return aim
}

// quick chooses a move: the best capture by what the side knows, or one of a few quiet moves that it
// looks at; no move means that there is none.
func (w *world) quick(s *state, r *rng, b *moveBuffer) (from, to game.Square, ok bool) {
	me := s.mover & 1
	enemy := me ^ 1
	k := w.exchanges[me]
	foes := s.of[enemy]
	aim := s.aimed(foes)
	toFlag := &tables.Distances[aim&63]
	gate := tables.Paths[aim&63].Attackers
	ahead := int32(s.ahead[me])
	best := int32(-1 << 30)
	random := r.next()
	intruders := foes & w.guards[me] &^ s.fixed
	near := foes & tables.Zones[s.flag[me]&63] &^ s.fixed
	var shut luzhanqi.Squares
	if near != 0 {
		shut = w.guards[me]
	}
	quiet, keen := s.lay(b, foes, foes|gate|shut)
	for ; keen != 0; keen &= keen - 1 {
		sq := keen.First()
		t := b.targets[sq&63]
		if captures := t & foes; captures != 0 {
			rank := s.rank[sq] & 15
			for ; captures != 0; captures &= captures - 1 {
				target := captures.First()
				gain := int32(k.attack(rank, s.piece[target], s.shown[enemy][s.piece[target]&31]))
				if luzhanqi.Bit(target)&intruders != 0 {
					gain += saveFlag
				} else if luzhanqi.Bit(target)&near != 0 {
					gain += nearFlag
				}
				gain += int32(toFlag[sq]-toFlag[target]) * ahead
				if luzhanqi.Bit(target)&gate != 0 {
					gain += atGate * ahead
				}
				random = random>>7 | random<<57
				gain += int32(random & doubt)
				if b.prefer != nil {
					gain += b.prefer.of(me, rank, target)
				}
				if gain > best {
					best, from, to = gain, sq, target
				}
			}
			t &^= foes
		}
		for special := t & (gate | shut); special != 0; special &= special - 1 {
			target := special.First()
			rank := s.rank[sq] & 15
			random = random>>7 | random<<57
			score := int32(random&doubt) - w.risk(s, k, target, rank, luzhanqi.Bit(sq))
			if luzhanqi.Bit(target)&gate != 0 {
				score += enterGate
			} else {
				score += shutGate
			}
			if b.prefer != nil {
				score += b.prefer.of(me, rank, target)
			}
			if score > best {
				best, from, to = score, sq, target
			}
			if !w.everyGate {
				break
			}
		}
	}
	if quiet == 0 || best > settled {
		return from, to, best > -1<<30
	}
	for range tries {
		random := r.next()
		sq := b.quiet[(random&0xffff*uint64(quiet)>>16)&31] & 63
		t := b.targets[sq] &^ foes
		// A random turn makes the choice among the targets random enough.
		turn := int(random >> 16 & 63)
		target := game.Square((bits.TrailingZeros64(bits.RotateLeft64(uint64(t), -turn)) + turn) & 63)
		rank := s.rank[sq] & 15
		score := int32(toFlag[sq]-toFlag[target])*ahead + int32(random>>22&doubt)
		score += w.risk(s, k, sq, rank, 0) - w.risk(s, k, target, rank, luzhanqi.Bit(sq))
		if luzhanqi.Headquarters.Has(target) {
			score -= 200
		}
		if b.prefer != nil {
			score += b.prefer.of(me, rank, target)
		}
		if score > best {
			best, from, to = score, sq, target
		}
	}
	return from, to, true
}

// attack is what an attack on a piece can gain.
func (k *exchanges) attack(rank luzhanqi.Rank, piece, shown uint8) int16 {
	if shown == shownNothing || shown == shownNoNews {
		return k.gain[rank&15][piece&31]
	}
	return k.gainShown[rank&15][shown&15]
}

// risk is what the mover's piece can expect to lose on sq, once the squares in gone are empty.
func (w *world) risk(s *state, k *exchanges, sq game.Square, rank luzhanqi.Rank, gone luzhanqi.Squares) (highest int32) {
	enemy := s.mover&1 ^ 1
	way := &tables.Paths[sq&63]
	from := way.Attackers | way.Lines((s.of[0]|s.of[1])&^gone)
	for from &= s.of[enemy] &^ luzhanqi.Headquarters; from != 0; from &= from - 1 {
		at := from.First()
		piece := s.piece[at] & 31
		shown := s.shown[enemy][piece]
		var loss int16
		if shown == shownNothing || shown == shownNoNews {
			loss = k.danger[rank&15][piece]
		} else {
			loss = k.dangerShown[rank&15][shown&15]
		}
		highest = max(highest, int32(loss))
	}
	return highest
}
