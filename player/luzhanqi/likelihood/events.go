package likelihood

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// What is counted for each enemy piece: the features of its own moves, numbered first, and what it
// could have done or suffered while another piece moved. Those in pairs are for a piece that has not moved, then for
// one that has.
const (
	waitAttack = featureCount                // it could have attacked, by kind
	waitDanger = waitAttack + 2*pieceKinds   // it stood in danger, by danger
	waitPrey   = waitDanger + 2*dangerLevels // what had just moved reached it
	waitFront  = waitPrey + 2                // its first move was possible, from rows 3 to 6
	waitBack   = waitFront + 1               // from rows 1 and 2
	homeLeft   = waitBack + 1                // it stands in a headquarters, and a piece left a gate of it
	homeCame   = homeLeft + 1                // or came to one
	homeAlone  = homeCame + 1                // or somebody reaches one, and nothing was done about it
	flagHere   = homeAlone + 1               // the flag was shown: next to it, not moved
	flagThere  = flagHere + 1                // next to the other headquarters only
	firstMove  = flagThere + 1               // its first move, by when
	standsOn   = firstMove + 4               // where it stands, having moved: row, and side or middle
	eventCount = standsOn + 36
)

// firstPlies are the plies at which the periods of first moves end.
var firstPlies = [...]int{12, 36, 80}

// count counts an event of a piece, and adds to the sums what that says of its rank.
func (h *BehaviourModel) count(p int8, event int) {
	n := &h.counts[p][event]
	if *n < maxCounted {
		*n++
		h.weigh(p, event, *n-1, *n)
	}
}

// weigh changes the sums for a count that has changed.
func (h *BehaviourModel) weigh(p int8, event int, before, now uint16) {
	row := &h.logs[p]
	for m := range measures {
		d := measured[now][m] - measured[before][m]
		for rank, w := range &h.table.events[event][m] {
			row[rank] += d * w
		}
	}
}

// judge takes in an enemy move before it is played.
func (h *BehaviourModel) judge(o *luzhanqi.Observation) {
	from, to := o.Move.From, o.Move.To
	s, l := &h.public, &h.look
	l.look(s, o.Mover, &h.ranks)
	mover := s.piece[from]
	var buffer [32]uint8
	for _, f := range l.arriving(from, to, l.leaving(from, buffer[:0])) {
		h.count(mover, int(f))
	}
	h.judgePlace(mover, from, to)
	for left := l.own; left != 0; left &= left - 1 {
		switch sq := left.First(); {
		case luzhanqi.Headquarters.Has(sq):
			h.judgeHome(sq, o.Move)
		case sq != from:
			h.judgeWaiting(sq)
		}
	}
	if s.flag[l.side] != tables.Nowhere {
		h.judgeFlag()
	}
}

// judgePlace counts a first move, and where the piece comes to stand.
func (h *BehaviourModel) judgePlace(p int8, from, to game.Square) {
	side := h.look.side
	place := func(sq game.Square) int {
		sq = framed(side, sq)
		return standsOn + int(sq)/tables.Columns*3 + aside(sq)
	}
	if !h.public.hasMoved(side, p) {
		when := 0
		for _, ply := range firstPlies {
			if h.ply >= ply {
				when++
			}
		}
		h.count(p, firstMove+when)
	} else {
		h.counts[p][place(from)] = 0
		h.weigh(p, place(from), 1, 0)
	}
	h.count(p, place(to))
}

// judgeWaiting counts what a piece could have done, or had to fear, and was left standing.
func (h *BehaviourModel) judgeWaiting(sq game.Square) {
	s, l := &h.public, &h.look
	p := s.piece[sq]
	moved := 0
	if s.hasMoved(l.side, p) {
		moved = 1
	}
	if d := l.danger(sq); d > 0 {
		h.count(p, waitDanger+moved*dangerLevels+d)
		if l.prey.Has(sq) {
			h.count(p, waitPrey+moved)
		}
	}
	targets := luzhanqi.TargetsOf(sq, l.own, l.theirs, false)
	if targets == 0 {
		return
	}
	if moved == 0 {
		if framed(l.side, sq) < 2*tables.Columns {
			h.count(p, waitBack)
		} else {
			h.count(p, waitFront)
		}
	}
	if targets&l.theirs != 0 {
		for kind, of := range &l.kinds {
			if of&targets != 0 {
				h.count(p, waitAttack+moved*pieceKinds+kind)
			}
		}
	}
}

// judgeHome counts how the enemy cares for a headquarters where its flag may be.
func (h *BehaviourModel) judgeHome(hq game.Square, m game.Move) {
	s, l := &h.public, &h.look
	p, gates := s.piece[hq], tables.Paths[hq].Attackers
	if gates.Has(m.From) {
		h.count(p, homeLeft)
	}
	switch {
	case gates.Has(m.To):
		h.count(p, homeCame)
	case !l.theirs.Has(m.To) && l.movers&gates != 0:
		h.count(p, homeAlone)
	}
}

// judgeFlag tells what stood next to the flag when it was shown from what did not.
func (h *BehaviourModel) judgeFlag() {
	s, l := &h.public, &h.look
	gates := tables.Paths[s.flag[l.side]].Attackers
	for left := l.gates & l.own; left != 0; left &= left - 1 {
		sq := left.First()
		p := s.piece[sq]
		event := flagThere
		if gates.Has(sq) {
			event = flagHere
		}
		if !s.hasMoved(l.side, p) && h.counts[p][event] == 0 {
			h.count(p, event)
		}
	}
}
