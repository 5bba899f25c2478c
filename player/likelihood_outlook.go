package player

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
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
// left rows 1 and 2 mostly cannot.
const dangerLevels = 6

var dangerOfKind = [pieceKinds]uint8{kindFront: 1, kindMoved: 2, kindWeak: 3, kindMiddle: 4, kindStrong: 5}

// outlook is what a side that is to move sees in a scene, worked out once for all its moves: its own
// pieces and "theirs", which are those of the side that wonders about it.
type outlook struct {
	scene       *scene
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

// look looks. ranks are theirs, by number: the mover does not know them, but from a combat that it
// has lost it knows about as much.
func (l *outlook) look(s *scene, side game.Side, ranks *hiddeninfo.World) {
	other := side.Other()
	*l = outlook{scene: s, side: side, own: s.of[side], theirs: s.of[other]}
	occupied := l.own | l.theirs
	latest, hasMoved := s.latest(other)
	for left := l.theirs; left != 0; left &= left - 1 {
		sq := left.First()
		kind := l.kindOf(sq, ranks)
		l.kinds[kind] |= luzhanqi.Bit(sq)
		level := dangerOfKind[kind]
		if level == 0 {
			continue
		}
		reach := luzhanqi.TargetsOf(sq, 0, occupied, false)
		l.reach[level] |= reach
		if kind != kindFront {
			l.movers |= reach
		}
		if hasMoved && sq == latest.To {
			l.prey = reach
		}
	}
	l.lookHome()
}

// lookHome finds the own gates and the way to theirs.
func (l *outlook) lookHome() {
	other := l.side.Other()
	var goals luzhanqi.Squares
	for hq := range luzhanqi.Headquarters.All() {
		switch {
		case framed(other, hq) >= columns:
			l.gates |= ways[hq].attackers
		case l.theirs.Has(hq) && (l.scene.flag[other] == nowhere || l.scene.flag[other] == hq):
			goals |= luzhanqi.Bit(hq)
		}
	}
	for sq := range l.goal {
		l.goal[sq] = farthestGoal
		for left := goals; left != 0; left &= left - 1 {
			l.goal[sq] = min(l.goal[sq], distances[left.First()][sq])
		}
	}
}

// kindOf is the kind of one of their pieces.
func (l *outlook) kindOf(sq game.Square, ranks *hiddeninfo.World) int {
	side := l.side.Other()
	p := l.scene.piece[sq]
	rank := ranks[p]
	switch {
	case l.scene.flag[side] == sq:
		return kindFlag
	case l.scene.wins[side][p] > 0 && rank >= luzhanqi.MajorGeneral:
		return kindStrong
	case l.scene.wins[side][p] > 0 && rank >= luzhanqi.Colonel:
		return kindMiddle
	case l.scene.wins[side][p] > 0:
		return kindWeak
	case luzhanqi.Headquarters.Has(sq):
		return kindHome
	case l.scene.hasMoved(side, p):
		return kindMoved
	case framed(side, sq) < 2*columns:
		return kindBack
	}
	return kindFront
}

// danger is the level of the strongest that could attack on a square; in a camp nobody is attacked.
func (l *outlook) danger(sq game.Square) int {
	if luzhanqi.Camps.Has(sq) {
		return 0
	}
	level := dangerLevels - 1
	for level > 0 && !l.reach[level].Has(sq) {
		level--
	}
	return level
}
