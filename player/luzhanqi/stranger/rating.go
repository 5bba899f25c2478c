package stranger

import (
	"math"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// rate is what a move is worth by the weights in force: what its fight wins and loses, the way that it saves, what
// stands in danger afterwards.
func (p *Player) rate(m game.Move) float64 {
	w, v := p.weights, p.view
	rank := v.Rank(m.From)
	score, survives := 0.0, 1.0
	if v.Enemy().Has(m.To) {
		score, survives = p.fight(rank, m.To)
	}
	cost := &p.cost[1]
	if rank == luzhanqi.Engineer {
		cost = &p.cost[0]
	}
	score += survives * w.Eager[eagerOf[rank]] * (w.near(cost[m.To]) - w.near(cost[m.From]))
	own, enemy := v.Own()&^luzhanqi.Bit(m.From)|luzhanqi.Bit(m.To), v.Enemy()&^luzhanqi.Bit(m.To)
	score -= w.Danger * survives * p.danger(m.To, rank, own, enemy)
	score += w.Danger * survives * p.danger(m.From, rank, v.Own(), v.Enemy())
	if w.Cover != 0 {
		score -= w.Cover * p.uncovered(m.From, own&^luzhanqi.Bit(m.To), own, enemy)
	}
	if w.Threat != 0 {
		score += w.Threat * survives * (p.threat(rank, m.To, own, enemy) - p.threat(rank, m.From, v.Own(), v.Enemy()))
	}
	if w.Exposure != 0 {
		score -= w.Exposure * survives * p.exposure(own, enemy)
		if survives < 1 {
			score -= w.Exposure * (1 - survives) * p.exposure(v.Own()&^luzhanqi.Bit(m.From), v.Enemy())
		}
	}
	score += w.Camp * (in(luzhanqi.Camps, m.To) - in(luzhanqi.Camps, m.From))
	gates := tables.Paths[p.flag].Attackers
	score += w.Shut * survives * (in(gates, m.To) - in(gates, m.From))
	if half := luzhanqi.HalfOf(p.view.Side()); !half.Has(m.To) && half.Has(m.From) || !half.Has(m.To) && v.Enemy().Has(m.To) {
		score -= w.Cross
	}
	if m.To == p.before.From && m.From == p.before.To {
		score -= w.Back
	}
	return score
}

// in is 1 in the squares and 0 outside.
func in(squares luzhanqi.Squares, sq game.Square) float64 {
	if squares.Has(sq) {
		return 1
	}
	return 0
}

// fight is what an attack can expect, and how likely the attacker is to stay.
func (p *Player) fight(rank luzhanqi.Rank, at game.Square) (score, survives float64) {
	w := p.weights
	survives = 1
	score = w.Fight
	if tables.Distances[p.flag][at] <= 2 {
		score += w.Guard
	}
	for code, chance := range p.odds[at] {
		if chance == 0 {
			continue
		}
		other := luzhanqi.Rank(code)
		result := luzhanqi.Combat(rank, other, p.view.MinesStay())
		if result.DefenderFalls() {
			score += chance * w.Win * worth[other]
			if other == luzhanqi.Landmine && p.cost[1][at] <= 5 {
				score += chance * w.Open
			}
		}
		if result.AttackerFalls() {
			score -= chance * w.Lose * worth[rank]
			survives -= chance
			if result.DefenderFalls() {
				score += chance * w.Trade * worth[other]
			}
		}
	}
	return score, survives
}

// danger is what an own piece of that rank can expect to lose on a square, when the armies stand so.
func (p *Player) danger(sq game.Square, rank luzhanqi.Rank, own, enemy luzhanqi.Squares) (highest float64) {
	if luzhanqi.Camps.Has(sq) {
		return 0
	}
	for attacker := range (enemy &^ luzhanqi.Headquarters).All() {
		if !luzhanqi.TargetsOf(attacker, enemy, own, p.turning.Has(attacker)).Has(sq) {
			continue
		}
		expected := 0.0
		for code := luzhanqi.Engineer; code <= luzhanqi.Bomb; code++ {
			chance := p.odds[attacker][code]
			if chance == 0 {
				continue
			}
			result := luzhanqi.Combat(code, rank, p.view.MinesStay())
			if result.DefenderFalls() {
				expected += chance * worth[rank]
			}
			if result.AttackerFalls() {
				expected -= chance * worth[code]
			}
		}
		highest = max(highest, expected)
	}
	return highest
}

// uncovered is what the worst of the pieces that stay can expect to lose.
func (p *Player) uncovered(gone game.Square, stay, own, enemy luzhanqi.Squares) (highest float64) {
	for sq := range (stay &^ luzhanqi.Bit(gone)).All() {
		highest = max(highest, p.danger(sq, p.view.Rank(sq), own, enemy))
	}
	return highest
}

// threat is what the best fight is worth that an own piece could begin from a square, when the armies stand so.
func (p *Player) threat(rank luzhanqi.Rank, from game.Square, own, enemy luzhanqi.Squares) (highest float64) {
	if luzhanqi.Headquarters.Has(from) {
		return 0
	}
	targets := luzhanqi.TargetsOf(from, own, enemy, rank == luzhanqi.Engineer) & enemy
	if p.weights.Cross != 0 {
		targets &= luzhanqi.HalfOf(p.view.Side())
	}
	for to := range targets.All() {
		gain, _ := p.fight(rank, to)
		highest = max(highest, min(gain, 10)) // a flag that could be taken next is what the way is for
	}
	return highest
}

// exposure is the chance that somebody who can take the own flag next is no landmine.
func (p *Player) exposure(own, enemy luzhanqi.Squares) (highest float64) {
	for attacker := range (enemy & tables.Paths[p.flag].Attackers &^ luzhanqi.Headquarters).All() {
		if luzhanqi.TargetsOf(attacker, enemy, own, false).Has(p.flag) {
			highest = max(highest, 1-p.odds[attacker][luzhanqi.Landmine])
		}
	}
	return highest
}

// near turns the cost of the way that is left into a value.
func (w *Weights) near(cost float64) float64 { return w.Near * math.Exp(-cost/w.Way) }

// costs is how many steps it is from each square to the headquarters where the flag may be: a step, or a line of
// railway, counts 1, and what is in the way counts by the weights.
func (p *Player) costs(turns bool) (cost [tables.SquareCount]float64) {
	w, v := p.weights, p.view
	const nowhere = 40
	for sq := range cost {
		cost[sq] = nowhere
	}
	var goals luzhanqi.Squares
	for hq := range (luzhanqi.Headquarters & v.Enemy()).All() {
		if chance := p.odds[hq][luzhanqi.Flag]; chance > 0 {
			goals |= luzhanqi.Bit(hq)
			cost[hq] = w.Doubt * (1 - chance)
			if p.framed(hq)%tables.Columns < tables.Columns/2 {
				cost[hq] += w.Far
			}
		}
	}
	occupied := v.Own() | v.Enemy()
	for changed := true; changed; {
		changed = false
		for n := range tables.SquareCount {
			sq := game.Square(n)
			if luzhanqi.Headquarters.Has(sq) {
				continue
			}
			for to := range luzhanqi.TargetsOf(sq, 0, occupied, turns).All() {
				through := cost[to] + 1
				switch at := luzhanqi.Bit(to); {
				case goals&at != 0:
					through += w.Gates[gateOf(sq, to)]
				case at&v.Enemy() != 0:
					through += w.Through
				case at&v.Own() != 0:
					through += w.Queue
				}
				if !p.lane.Has(to) && !goals.Has(to) {
					through += w.Off
				}
				if through < cost[sq]-1e-9 {
					cost[sq] = through
					changed = true
				}
			}
		}
	}
	return cost
}

// gateOf is from where a headquarters is entered, as Weights.Gates counts: 0 from the corner, 1 from the front, 2 from
// the middle.
func gateOf(gate, hq game.Square) int {
	switch column := gate % tables.Columns; {
	case column == hq%tables.Columns:
		return 1
	case column == tables.Columns/2:
		return 2
	}
	return 0
}
