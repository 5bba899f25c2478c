package luzhanqi

import (
	"math"

	"luzhanqi/game/luzhanqi"
)

// passivity watches whether the enemy leaves its own half. Against one that does not, who is behind need not lose: it waits, too, and the
// game is drawn; what it attacks there costs it piece after piece, until it has none that can move.
type passivity struct {
	ply    int
	atHome int // of the enemy's moves, the latest ones that ended in its own half; none while one of its pieces that can move is in ours
}

// update takes in what the view has seen since the last time.
func (p *passivity) update(v *luzhanqi.View) {
	if v.Ply() < p.ply { // another game
		*p = passivity{}
	}
	home := luzhanqi.HalfOf(v.Side().Other())
	for _, o := range v.Since(p.ply) {
		switch {
		case o.Mover == v.Side():
		case home.Has(o.Move.To):
			p.atHome++
		default:
			p.atHome = 0
		}
	}
	if v.Enemy()&luzhanqi.HalfOf(v.Side())&^luzhanqi.Headquarters != 0 {
		p.atHome = 0
	}
	p.ply = v.Ply()
}

// Those who attack stay at home for n moves on end in some exp(−n/5) of cases: of 330 runs of the frozen level, medium and naive 119, 42 and 5
// were as long or longer for n = 5, 10 and 20. Waiters that strike late stay for up to 50, so it is never taken for sure.
const (
	passiveBefore = 0.05 // how likely the enemy is to come no more, before it has stayed
	patience      = 5    // moves
	mostPassive   = 0.9
)

// likely is how likely the enemy is to stay in its half from now on, by the rule of Bayes.
func (p *passivity) likely() float64 {
	attackers := (1 - passiveBefore) * math.Exp(-float64(p.atHome)/patience)
	return min(passiveBefore/(passiveBefore+attackers), mostPassive)
}
