package luzhanqi

import (
	"math"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/tables"
)

// rush plays Luzhanqi for the enemy's flag alone: its pieces take the shortest way to the
// headquarters, through whoever stands there, and it trades what that costs gladly. It defends its
// own flag only when somebody is about to take it. Whoever counts material alone loses to it.
type rush struct {
	greedy  // what combat has told, and what is in danger
	weights RushWeights
}

// RushWeights are what a rusher cares for, in the currency of greedy's worth.
type RushWeights struct {
	Win, Lose float64 // for what falls and what is lost in a fight, as a share of its worth
	Open      float64 // for a landmine that guards what it wants
	Fight     float64 // for any fight
	Near, Way float64 // for being near the headquarters, and the steps after which that is a third
	Danger    float64 // for what stands in danger
	Exposure  float64 // for its own flag
	Noise     float64 // drawn
}

// DefaultRush are the weights of the level rush.
var DefaultRush = RushWeights{Win: 0.6, Lose: 0.5, Open: 4, Fight: 1.5, Near: 12, Way: 5, Danger: 0.35, Exposure: 100, Noise: 0.2}

// NewRush makes a player for one game.
func NewRush(w RushWeights) player.Player { return &rush{weights: w} }

// SetUp implements player.Player.
func (p *rush) SetUp(r *rand.Rand) game.SetUp { return game.SetUp(AsRush.Draw(r).String()) }

// forRush scores a sheltered set-up with the first wave near the railway.
func forRush(s luzhanqi.SetUp) float64 {
	score := shelter(s)
	for sq := range game.Square(30) {
		rank, row := s.At(sq), float64(sq/5)
		rail := luzhanqi.Railway.Has(sq)
		switch {
		case rank >= luzhanqi.MajorGeneral && rank <= luzhanqi.FieldMarshal:
			score += row / 2
		case rank == luzhanqi.Engineer && rail:
			score += 2
		case rank == luzhanqi.Bomb && rail:
			score++
		}
	}
	return score
}

func (p *rush) Choose(view game.View, _ time.Time, r *rand.Rand) game.Move {
	v := view.(*luzhanqi.View)
	p.observe(v)
	cost := p.costs(v)
	return p.best(v, p.weights.Noise, r, func(v *luzhanqi.View, m game.Move) float64 { return p.rate(v, m, cost) })
}

// rate is the gain of a move: the way it saves, a share of what it wins or loses, and the safety of
// the own flag.
func (p *rush) rate(v *luzhanqi.View, m game.Move, cost *[tables.SquareCount]float64) float64 {
	h := &p.weights
	rank := v.Rank(m.From)
	open := 0.0
	if cost[m.To] <= 5 { // a landmine guards what we want
		open = h.Open
	}
	score, survives := p.fight(v, m, h.Win, h.Lose, open)
	if v.Enemy().Has(m.To) {
		score += h.Fight // each fight opens the way and tells something
	}
	// The last steps are worth most: a piece at the gate forces the enemy to answer.
	score += survives * (h.near(cost[m.To]) - h.near(cost[m.From]))
	score -= h.Danger * survives * (p.danger(v, m.To, rank, m) - p.danger(v, m.From, rank, m))
	score -= h.Exposure * p.exposure(v, m, survives)
	if m.To == p.last.From && m.From == p.last.To {
		score--
	}
	return score
}

// near turns the cost of the way that is left into a value.
func (w *RushWeights) near(cost float64) float64 { return w.Near * math.Exp(-cost/w.Way) }

// costs is what is in the way from each square to the nearest headquarters where the flag may be: a
// step, or a line of railway, counts 1, an enemy piece on it 2 more, an own piece 1 more.
func (p *rush) costs(v *luzhanqi.View) *[tables.SquareCount]float64 {
	var cost [tables.SquareCount]float64
	for sq := range cost {
		cost[sq] = 40
	}
	flag, shown := v.EnemyFlag()
	for hq := range (luzhanqi.Headquarters & v.Enemy()).All() {
		if !p.enemy[hq].moved && (!shown || hq == flag) {
			cost[hq] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for n := range tables.SquareCount {
			sq := game.Square(n)
			if luzhanqi.Headquarters.Has(sq) {
				continue
			}
			for to := range luzhanqi.TargetsOf(sq, 0, v.Own()|v.Enemy(), false).All() {
				through := cost[to] + 1
				switch {
				case cost[to] == 0:
				case v.Enemy().Has(to):
					through += 2
				case v.Own().Has(to):
					through++
				}
				if through < cost[sq] {
					cost[sq] = through
					changed = true
				}
			}
		}
	}
	return &cost
}
