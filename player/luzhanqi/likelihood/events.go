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
func (b *BehaviourModel) count(p int8, event int) {
	n := &b.counts[p][event]
	if *n < maxCounted {
		*n++
		b.weigh(p, event, *n-1, *n)
	}
}

// weigh changes the sums for a count that has changed.
func (b *BehaviourModel) weigh(p int8, event int, before, now uint16) {
	if b.table == nil {
		return
	}
	row := &b.logs[p]
	for m := range measures {
		d := measured[now][m] - measured[before][m]
		for rank, w := range &b.table.events[event][m] {
			row[rank] += d * w
		}
	}
}

// judge takes in an enemy move before it is played.
func (b *BehaviourModel) judge(o *luzhanqi.Observation) {
	from, to := o.Move.From, o.Move.To
	pub, c := &b.public, &b.context
	c.look(pub, o.Mover, &b.ranks)
	mover := pub.piece[from]
	var buffer [32]uint8
	for _, f := range c.arriving(from, to, c.leaving(from, buffer[:0])) {
		b.count(mover, int(f))
	}
	b.judgePlace(mover, from, to)
	for left := c.own; left != 0; left &= left - 1 {
		switch sq := left.First(); {
		case luzhanqi.Headquarters.Has(sq):
			b.judgeHome(sq, o.Move)
		case sq != from:
			b.judgeWaiting(sq)
		}
	}
	if pub.flag[c.side] != tables.Nowhere {
		b.judgeFlag()
	}
}

// judgePlace counts a first move, and where the piece comes to stand.
func (b *BehaviourModel) judgePlace(p int8, from, to game.Square) {
	side := b.context.side
	place := func(sq game.Square) int {
		sq = framed(side, sq)
		return standsOn + int(sq)/tables.Columns*3 + aside(sq)
	}
	if !b.public.hasMoved(side, p) {
		when := 0
		for _, ply := range firstPlies {
			if b.ply >= ply {
				when++
			}
		}
		b.count(p, firstMove+when)
	} else {
		b.counts[p][place(from)] = 0
		b.weigh(p, place(from), 1, 0)
	}
	b.count(p, place(to))
}

// judgeWaiting counts what a piece could have done, or had to fear, and was left standing.
func (b *BehaviourModel) judgeWaiting(sq game.Square) {
	pub, c := &b.public, &b.context
	p := pub.piece[sq]
	moved := 0
	if pub.hasMoved(c.side, p) {
		moved = 1
	}
	if d := c.danger(sq); d > 0 {
		b.count(p, waitDanger+moved*dangerLevels+d)
		if c.prey.Has(sq) {
			b.count(p, waitPrey+moved)
		}
	}
	targets := luzhanqi.TargetsOf(sq, c.own, c.theirs, false)
	if targets == 0 {
		return
	}
	if moved == 0 {
		if framed(c.side, sq) < 2*tables.Columns {
			b.count(p, waitBack)
		} else {
			b.count(p, waitFront)
		}
	}
	if targets&c.theirs != 0 {
		for kind, of := range &c.kinds {
			if of&targets != 0 {
				b.count(p, waitAttack+moved*pieceKinds+kind)
			}
		}
	}
}

// judgeHome counts how the enemy cares for a headquarters where its flag may be.
func (b *BehaviourModel) judgeHome(hq game.Square, m game.Move) {
	pub, c := &b.public, &b.context
	p, gates := pub.piece[hq], tables.Paths[hq].Attackers
	if gates.Has(m.From) {
		b.count(p, homeLeft)
	}
	switch {
	case gates.Has(m.To):
		b.count(p, homeCame)
	case !c.theirs.Has(m.To) && c.movers&gates != 0:
		b.count(p, homeAlone)
	}
}

// judgeFlag tells what stood next to the flag when it was shown from what did not.
func (b *BehaviourModel) judgeFlag() {
	pub, c := &b.public, &b.context
	gates := tables.Paths[pub.flag[c.side]].Attackers
	for left := c.gates & c.own; left != 0; left &= left - 1 {
		sq := left.First()
		p := pub.piece[sq]
		event := flagThere
		if gates.Has(sq) {
			event = flagHere
		}
		if !pub.hasMoved(c.side, p) && b.counts[p][event] == 0 {
			b.count(p, event)
		}
	}
}
