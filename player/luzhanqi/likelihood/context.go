package likelihood

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// Kinds of a side's pieces, by what the other side can know of them.
const (
	kindFront  = iota // has not moved from rows 3 to 6
	kindBack          // has not moved from rows 1 and 2: maybe a landmine
	kindHome          // in a headquarters: maybe the flag
	kindMoved         // has moved and won no combat
	kindWeak          // has won one: a major or less
	kindMiddle        // a colonel or brigadier general
	kindStrong        // more
	kindFlag          // the flag, shown
	pieceKinds
)

// dangerLevels: none, then a level for each kind that can attack, the strongest last. What has not
// left rows 1 and 2 usually cannot attack.
const dangerLevels = 6

var dangerOfKind = [pieceKinds]uint8{kindFront: 1, kindMoved: 2, kindWeak: 3, kindMiddle: 4, kindStrong: 5}

// context is what a side that is to move sees of the public position, worked out once for all its moves: its own
// pieces and "theirs", which are those of the side whose model it is.
type context struct {
	public      *public
	side        game.Side
	own, theirs luzhanqi.Squares
	kinds       [pieceKinds]luzhanqi.Squares   // theirs
	reach       [dangerLevels]luzhanqi.Squares // where theirs could go, by danger; where they stand in each other's way too
	movers      luzhanqi.Squares               // where those could go that have moved
	prey        luzhanqi.Squares               // where the one could go that has just moved
	gates       luzhanqi.Squares               // next to own headquarters
	goal        [64]int8                       // steps to where their flag may be, at most farthestGoal
}

const farthestGoal = 7

// look works the context out anew. ranks are theirs, by number: the mover
// does not know them, but a combat that it has lost tells it about as much.
func (c *context) look(pub *public, side game.Side, ranks *hiddeninfo.World) {
	other := side.Other()
	*c = context{public: pub, side: side, own: pub.of[side], theirs: pub.of[other]}
	occupied := c.own | c.theirs
	latest, hasMoved := pub.latest(other)
	for left := c.theirs; left != 0; left &= left - 1 {
		sq := left.First()
		kind := c.kindOf(sq, ranks)
		c.kinds[kind] |= luzhanqi.Bit(sq)
		level := dangerOfKind[kind]
		if level == 0 {
			continue
		}
		reach := luzhanqi.TargetsOf(sq, 0, occupied, false)
		c.reach[level] |= reach
		if kind != kindFront {
			c.movers |= reach
		}
		if hasMoved && sq == latest.To {
			c.prey = reach
		}
	}
	c.lookHome()
}

// lookHome finds the own gates and the way to theirs.
func (c *context) lookHome() {
	other := c.side.Other()
	var goals luzhanqi.Squares
	for hq := range luzhanqi.Headquarters.All() {
		switch {
		case framed(other, hq) >= tables.Columns:
			c.gates |= tables.Paths[hq].Attackers
		case c.theirs.Has(hq) && (c.public.flag[other] == tables.Nowhere || c.public.flag[other] == hq):
			goals |= luzhanqi.Bit(hq)
		}
	}
	for sq := range c.goal {
		c.goal[sq] = farthestGoal
		for left := goals; left != 0; left &= left - 1 {
			c.goal[sq] = min(c.goal[sq], tables.Distances[left.First()][sq])
		}
	}
}

// kindOf is the kind of one of their pieces.
func (c *context) kindOf(sq game.Square, ranks *hiddeninfo.World) int {
	side := c.side.Other()
	p := c.public.piece[sq]
	rank := ranks[p]
	switch {
	case c.public.flag[side] == sq:
		return kindFlag
	case c.public.wins[side][p] > 0 && rank >= luzhanqi.MajorGeneral:
		return kindStrong
	case c.public.wins[side][p] > 0 && rank >= luzhanqi.Colonel:
		return kindMiddle
	case c.public.wins[side][p] > 0:
		return kindWeak
	case luzhanqi.Headquarters.Has(sq):
		return kindHome
	case c.public.hasMoved(side, p):
		return kindMoved
	case framed(side, sq) < 2*tables.Columns:
		return kindBack
	}
	return kindFront
}

// danger is the level of the strongest that could attack on a square; in a camp nobody is attacked.
func (c *context) danger(sq game.Square) int {
	if luzhanqi.Camps.Has(sq) {
		return 0
	}
	level := dangerLevels - 1
	for level > 0 && !c.reach[level].Has(sq) {
		level--
	}
	return level
}

// aside is how many columns a square is from the middle one.
func aside(sq game.Square) int {
	n := int(sq)%tables.Columns - tables.Columns/2
	return max(n, -n)
}
