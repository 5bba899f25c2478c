package likelihood

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// The features of a move, numbered. Rows and columns are the mover's.
const (
	featTarget    = 0                           // quiet, or the kind of piece that it attacks
	featStand     = featTarget + 1 + pieceKinds // quiet: danger on the target
	featFight     = featStand + dangerLevels    // attack: the same
	featLeave     = featFight + dangerLevels    // danger on the square that it leaves
	featTo        = featLeave + dangerLevels    // row of the target
	featFrom      = featTo + 12                 // row that it leaves
	featWho       = featFrom + 12               // not moved from rows 1 and 2, or 3 to 6; moved; has won a combat
	featThreat    = featWho + 4                 // a kind of piece that it comes to reach
	featGoal      = featThreat + pieceKinds     // steps left to where their flag may be
	featStep      = featGoal + 1 + farthestGoal // nearer to it, as near, farther
	featCampIn    = featStep + 3                // into a camp
	featCampOut   = featCampIn + 1              // out of one
	featLine      = featCampOut + 1             // more than a step by railway
	featAgain     = featLine + 1                // the piece that moved last time
	featBack      = featAgain + 1               // takes that move back
	featRecapture = featBack + 1                // attacks what has just moved
	featFlee      = featRecapture + 1           // leaves where what has just moved could go
	featGuard     = featFlee + 1                // to a gate of an own headquarters
	featUnguard   = featGuard + 1               // from one
	featColumn    = featUnguard + 1             // of the target: middle, next, side
	featureCount  = featColumn + 3
)

// leaving appends the features of the square that a move leaves.
func (c *context) leaving(from game.Square, dst []uint8) []uint8 {
	pub := c.public
	p := pub.piece[from]
	row := int(framed(c.side, from)) / tables.Columns
	who := 0
	switch {
	case pub.wins[c.side][p] > 0:
		who = 3
	case pub.hasMoved(c.side, p):
		who = 2
	case row >= 2:
		who = 1
	}
	dst = append(dst, uint8(featLeave+c.danger(from)), uint8(featFrom+row), uint8(featWho+who))
	if luzhanqi.Camps.Has(from) {
		dst = append(dst, featCampOut)
	}
	if m, ok := pub.latest(c.side); ok && m.To == from {
		dst = append(dst, featAgain)
	}
	if c.prey.Has(from) {
		dst = append(dst, featFlee)
	}
	if c.gates.Has(from) {
		dst = append(dst, featUnguard)
	}
	return dst
}

// arriving appends the features of the target.
func (c *context) arriving(from, to game.Square, dst []uint8) []uint8 {
	pub := c.public
	if c.theirs.Has(to) {
		kind := 0
		for !c.kinds[kind].Has(to) {
			kind++
		}
		dst = append(dst, uint8(featTarget+1+kind), uint8(featFight+c.danger(to)))
		if m, ok := pub.latest(c.side.Other()); ok && m.To == to {
			dst = append(dst, featRecapture)
		}
	} else {
		dst = append(dst, featTarget, uint8(featStand+c.danger(to)))
	}
	target := int(framed(c.side, to))
	dst = append(dst, uint8(featTo+target/tables.Columns), uint8(featColumn+aside(framed(c.side, to))), uint8(featGoal+int(c.goal[to])))
	switch {
	case c.goal[to] < c.goal[from]:
		dst = append(dst, featStep)
	case c.goal[to] == c.goal[from]:
		dst = append(dst, featStep+1)
	default:
		dst = append(dst, featStep+2)
	}
	if !tables.Paths[from].Steps.Has(to) {
		dst = append(dst, featLine)
	}
	if luzhanqi.Camps.Has(to) {
		dst = append(dst, featCampIn)
	}
	if m, ok := pub.latest(c.side); ok && m.From == to && m.To == from {
		dst = append(dst, featBack)
	}
	if c.gates.Has(to) {
		dst = append(dst, featGuard)
	}
	return c.threatening(from, to, dst)
}

// threatening appends the kinds of pieces that the moving piece reaches from its target and did not
// before.
func (c *context) threatening(from, to game.Square, dst []uint8) []uint8 {
	if luzhanqi.Headquarters.Has(to) { // it will never leave again
		return dst
	}
	occupied := c.own | c.theirs
	reached := c.theirs & luzhanqi.TargetsOf(to, 0, occupied&^luzhanqi.Bit(from), false) &^ luzhanqi.TargetsOf(from, 0, occupied, false)
	for kind, of := range &c.kinds {
		if reached&of != 0 {
			dst = append(dst, uint8(featThreat+kind))
		}
	}
	return dst
}
