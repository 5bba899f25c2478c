package luzhanqi

import (
	"math"
	"math/bits"
	"slices"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/policy"
	"luzhanqi/player/luzhanqi/tables"
)

// preferPerNat is what playouts must have preferred a move by, in the unit of material, for it to count a nat.
const preferPerNat = 300

// drafted is a move with its logit and noise, but without what can be lost and won on both squares.
type drafted struct {
	score, bound int32  // and the most that it can become
	stays        uint16 // how likely it stays, in parts of 256
	from, to     game.Square
}

// set writes the fields one by one; a whole drafted would be written twice.
func (d *drafted) set(score, more int32, stays uint16, from, to game.Square) {
	d.score, d.bound = score, score+more
	d.stays, d.from, d.to = stays, from, to
}

// soft draws a move by the policy that was learned: the one whose logit with some noise is highest. It is what inputs says,
// each move's inputs added up from tables. What can be lost and won costs most to find, and is looked at only of moves that
// could still be the highest.
func (w *world) soft(s *state, r *rng, b *moveBuffer) (from, to game.Square, ok bool) {
	p := w.policy
	me := s.mover & 1
	foes := s.of[me^1]
	k := w.exchanges[me]
	contact := s.contact()
	moves := w.draft(s, r, b, contact)
	if len(moves) == 0 {
		return 0, 0, false
	}
	var off [64]int32 // by the square that is left
	var known luzhanqi.Squares
	complete := func(m *drafted) int32 {
		sq := m.from & 63
		rank := s.rank[sq] & 15
		out := luzhanqi.Bit(sq)
		if known&out == 0 {
			here := reached{}
			if contact&out != 0 {
				here = k.weighed.reach(s, sq, rank, 0, foes)
			}
			off[sq] = int32(p.RiskOff[rank][policy.Risk(here.risk, here.pursued)]) + int32(p.ThreatOff[here.threat&7])
			known |= out
		}
		there := k.weighed.reach(s, m.to, rank, out, foes&^luzhanqi.Bit(m.to))
		return m.score + off[sq] + int32(m.stays)*(int32(p.RiskTo[rank][policy.Risk(there.risk, there.flank)])+int32(p.ThreatTo[there.threat&7]))>>8
	}
	first := b.highest
	best := complete(&moves[first])
	for i := range moves {
		m := &moves[i]
		if m.bound <= best || i == first {
			continue
		}
		if score := complete(m); score > best {
			best, first = score, i
		}
	}
	return moves[first].from, moves[first].to, true
}

// doors are the squares from which a headquarters can be entered.
var doors = luzhanqi.Beside(luzhanqi.Headquarters)

// contact are the squares that a foe of the mover's attacks, or could be attacked from. A piece on another one neither risks nor threatens
// anything, nor does it on any other one where it goes: it stands in no foe's way.
func (s *state) contact() (squares luzhanqi.Squares) {
	occupied := s.of[0] | s.of[1]
	for foes := s.of[s.mover&1^1]; foes != 0; foes &= foes - 1 {
		way := &tables.Paths[foes.First()&63]
		squares |= way.Attackers | way.Steps | way.Lines(occupied)
	}
	return squares
}

// draft lays out the moves, given the squares of contact. What does not depend on where a piece goes is added once.
func (w *world) draft(s *state, r *rng, b *moveBuffer, contact luzhanqi.Squares) []drafted {
	p := w.policy
	me := s.mover & 1
	enemy := me ^ 1
	k := w.exchanges[me]
	foes := s.of[enemy]
	flag := s.flag[me]
	aim := s.aimed(foes)
	mirrored, column, phase := policy.Mirrored(flag, me), policy.Column(aim), s.phase()
	tableTo, tableOff := &p.To[phase][me][mirrored][column], &p.Off[phase][me][mirrored][column]
	gate, guards, zone := tables.Paths[aim&63].Attackers, w.guards[me], tables.Zones[flag&63]
	near := foes & zone &^ s.fixed
	intruders := near & guards
	if near == 0 {
		guards, zone = 0, 0
	}
	special := foes | gate | zone | luzhanqi.Headquarters
	lastTo, lastOff := &p.NearTo[s.last&63], &p.NearOff[s.last&63]
	noises := policy.NewNoises(r.next())
	n, highest := 0, int32(math.MinInt32)
	occupied := s.of[0] | s.of[1]
	barred := s.of[me] | occupied&luzhanqi.Camps
	for movers := s.movable(barred); movers != 0; movers &= movers - 1 {
		sq := movers.First() & 63
		rank := s.rank[sq] & 15
		out := luzhanqi.Bit(sq)
		base := int32(tableOff[rank][sq]) + int32(lastOff[sq])
		if s.shown[me][s.piece[sq]&31] == shownNothing {
			base += int32(p.First[rank])
		}
		special := special
		if sq == s.before {
			base += int32(p.Again)
			special |= luzhanqi.Bit(s.origin)
		}
		if out&zone != 0 {
			base += int32(p.HomeOff[rank])
			if out&guards != 0 {
				base += int32(p.Unguard)
			}
		}
		most, touched := &k.weighed.most[rank], contact
		mostOff := p.Most[rank].OffAlone
		if contact&out != 0 {
			mostOff, touched = p.Most[rank].Off, luzhanqi.EverySquare
		}
		to := &tableTo[rank]
		way := &tables.Paths[sq]
		targets := way.Steps | way.Lines(occupied)
		if out&s.engineers&luzhanqi.Railway != 0 {
			targets |= luzhanqi.RailwayFrom(sq, occupied)
		}
		targets &^= barred
		// Most are squares of which there is no more to say.
		for t := targets &^ special; t != 0; t &= t - 1 {
			target := t.First() & 63
			score := base + int32(to[target]) + int32(lastTo[target]) + noises.Next()
			if b.prefer != nil {
				score += b.prefer.of(me, rank, target) * policy.Unit / preferPerNat
			}
			b.drafts[n&(mostMoves-1)].set(score, mostOff+most[(touched>>target&1|doors>>target&1<<1)&3], 256, sq, target)
			if score > highest {
				highest, b.highest = score, n
			}
			n++
		}
		for t := targets & special; t != 0; t &= t - 1 {
			target := t.First() & 63
			in := luzhanqi.Bit(target)
			score := base + int32(to[target]) + int32(lastTo[target]) + noises.Next()
			stays := uint16(256)
			reach := touched>>target&1 | doors>>target&1<<1
			if in&foes != 0 {
				fight, likely := k.fought(rank, s.piece[target], s.shown[enemy][s.piece[target]&31])
				score += int32(fight)
				stays = uint16(likely) + 1
				if stays < 256 {
					reach |= 1
				}
				if target == s.last {
					score += int32(p.Answer)
				}
				switch {
				case in&intruders != 0:
					score += int32(p.Save[rank])
				case in&near != 0:
					score += int32(p.Clear[rank])
				}
				if in&gate != 0 {
					score += int32(p.Break)
				}
			} else {
				switch {
				case luzhanqi.Headquarters.Has(target):
					score += int32(p.Idle)
				case in&gate != 0:
					score += int32(p.Gate[rank])
				}
				if in&guards != 0 {
					score += int32(p.Shut[rank])
				}
			}
			if in&zone != 0 {
				score += int32(p.Home[rank])
			}
			if sq == s.before && target == s.origin {
				score += int32(p.Back)
			}
			if b.prefer != nil {
				score += b.prefer.of(me, rank, target) * policy.Unit / preferPerNat
			}
			b.drafts[n&(mostMoves-1)].set(score, mostOff+most[reach&3], stays, sq, target)
			if score > highest {
				highest, b.highest = score, n
			}
			n++
		}
	}
	return b.drafts[:min(n, mostMoves)]
}

// mostMoves is more than a side can ever have: on an empty board 18 pieces have at most 15 targets each, and three engineers 35.
const mostMoves = 512

// remember takes from a view the last two moves.
func (s *state) remember(v *luzhanqi.View) {
	if v.Ply() >= 1 {
		m := v.Since(v.Ply() - 1)[0].Move
		s.last, s.lastFrom = m.To, m.From
	}
	if v.Ply() >= 2 {
		m := v.Since(v.Ply() - 2)[0].Move
		s.before, s.origin = m.To, m.From
	}
}

// phase is that of the game.
func (s *state) phase() int { return policy.Phase(int(s.movers[0]) + int(s.movers[1])) }

// weighed are exchanges as the policy sees them: buckets of what can be lost and won, and what it thinks of a fight.
type weighed struct {
	lost, won           [tables.RankCodes][32]uint8
	lostShown, wonShown [tables.RankCodes][16]uint8
	fight               [tables.RankCodes][32]int16
	fightShown          [tables.RankCodes][16]int16
	// By own rank, the most that risk and threat add on the square that is entered: whether it is in contact to the enemy, and
	// twice whether a headquarters can be entered from there.
	most [tables.RankCodes][4]int32
}

// weigh works them out. The odds are those that k was worked out by.
func (k *exchanges) weigh(p *policy.Policy, of *suspects, standing uint32) *weighed {
	w := &weighed{}
	army := of.army(standing)
	var shown [shownCodes]odds
	for code := 1; code < shownCodes; code++ {
		shown[code] = army.shown(code)
	}
	for rank := luzhanqi.Engineer; rank <= luzhanqi.Bomb; rank++ {
		highest := uint8(0)
		for left := standing; left != 0; left &= left - 1 {
			n := bits.TrailingZeros32(left) & 31
			w.lost[rank][n], w.won[rank][n] = policy.Bucket(k.danger[rank][n]), policy.Bucket(k.gain[rank][n])
			w.fight[rank][n] = p.Fight(rank, (*[tables.RankCodes]float64)(&of[n]), float64(k.gain[rank][n]), share(k.stays[rank][n]))
			if of[n][luzhanqi.Flag] == 0 {
				highest = max(highest, w.won[rank][n])
			}
		}
		for code := 1; code < shownCodes; code++ {
			w.lostShown[rank][code], w.wonShown[rank][code] = policy.Bucket(k.dangerShown[rank][code]), policy.Bucket(k.gainShown[rank][code])
			w.fightShown[rank][code] = p.Fight(rank, (*[tables.RankCodes]float64)(&shown[code]), float64(k.gainShown[rank][code]), share(k.staysShown[rank][code]))
			highest = max(highest, w.wonShown[rank][code])
		}
		most := &p.Most[rank]
		w.most[rank] = [4]int32{most.ToAlone, max(0, most.Risk+int32(slices.Max(p.ThreatTo[:highest+1]))), most.ToAlone, most.To}
	}
	return w
}

// share is a probability in parts of 256, as exchanges have it.
func share(parts uint8) float64 { return (float64(parts) + 1) / 256 }

// fought is what the policy thinks of a fight with a piece, and how likely the attacker stays, in parts of 256.
func (k *exchanges) fought(rank luzhanqi.Rank, piece, shown uint8) (fight int16, stays uint8) {
	if shown == shownNothing || shown == shownNoNews {
		return k.weighed.fight[rank&15][piece&31], k.stays[rank&15][piece&31]
	}
	return k.weighed.fightShown[rank&15][shown&15], k.staysShown[rank&15][shown&15]
}

// reached is what the mover's piece can expect on a square: the buckets of what it can lose, and of what it could win from
// there; whether what moved last is among those that attack it, and whether another piece could avenge it.
type reached struct {
	risk, threat   uint8
	pursued, flank bool
}

// reach looks around sq, once the squares in gone are empty and the foes that stand are these.
func (k *weighed) reach(s *state, sq game.Square, rank luzhanqi.Rank, gone, foes luzhanqi.Squares) (of reached) {
	me := s.mover & 1
	way := &tables.Paths[sq&63]
	lines := way.Lines((s.of[0] | s.of[1]) &^ gone)
	comes := (way.Attackers | lines) &^ luzhanqi.Headquarters
	attackers := comes & s.of[me^1]
	prey := (way.Steps | lines) & foes &^ luzhanqi.Camps
	for all := attackers | prey; all != 0; all &= all - 1 {
		at := all.First() & 63
		piece := s.piece[at] & 31
		lost, won := k.lost[rank&15][piece], k.won[rank&15][piece]
		if shown := s.shown[me^1][piece]; shown != shownNothing && shown != shownNoNews {
			lost, won = k.lostShown[rank&15][shown&15], k.wonShown[rank&15][shown&15]
		}
		bit := all & -all
		if attackers&bit != 0 {
			of.risk = max(of.risk, lost)
		}
		if prey&bit != 0 {
			of.threat = max(of.threat, won)
		}
	}
	of.pursued = attackers&luzhanqi.Bit(s.last) != 0
	of.flank = comes&s.of[me]&^(gone|s.fixed) != 0
	return of
}
