package likelihood

import (
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// doubt is how likely it is that nothing that was learned holds for this enemy. It is learned in each game, by the rule of Bayes:
// what is believed and what the rules alone say are judged by how likely they called what a fight then told of pieces, and where it
// showed the flag. What moves, and how, is not judged: nobody foretells which piece an enemy chooses.
type doubt struct {
	start, now float64
	known      [hiddeninfo.Pieces]hiddeninfo.Mask
	// What was foretold of each piece, opinions with their doubt and the rules alone.
	believed, plain *hiddeninfo.Marginals
}

// forgotten is the part of what was learned of doubt that each fight lets be forgotten: who was foretold well so far may not be so in what
// has not been seen. So doubt never comes to 0 or 1.
const forgotten = 0.05

// foretell notes what the belief says before a fight.
func (d *doubt) foretell(b *hiddeninfo.Belief) {
	d.believed, d.plain = b.Marginals(), b.Constraints()
	for p := range d.known {
		d.known[p] = b.Known(hiddeninfo.Piece(p))
	}
}

// judge learns from the fight, which the enemy has begun or we have.
func (d *doubt) judge(b *hiddeninfo.Belief, enemyBegan bool) {
	told := d.now // the part of the doubt in what was foretold
	odds := d.now / (1 - d.now)
	for p := range d.known {
		known, before := b.Known(hiddeninfo.Piece(p)), d.known[p]
		if enemyBegan && known&^hiddeninfo.Movers == 0 {
			before &= hiddeninfo.Movers // that it moved is known before the fight
		}
		if known == before {
			continue
		}
		plain, plainBefore := chance(d.plain, p, known), chance(d.plain, p, before)
		opinions := max(chance(d.believed, p, known)-told*plain, never)
		opinionsBefore := max(chance(d.believed, p, before)-told*plainBefore, never)
		if plain > 0 && plainBefore > 0 {
			odds *= (plain / plainBefore) / (opinions / opinionsBefore)
		}
	}
	d.now = 1 / (1 + 1/odds) // even if the odds have come to zero or infinity
	d.now += forgotten * (d.start - d.now)
}

// never is the chance of what opinions call impossible, by rounding; they exclude nothing.
const never = 1e-12

// chance is how likely a piece has one of some ranks.
func chance(m *hiddeninfo.Marginals, p int, ranks hiddeninfo.Mask) (sum float64) {
	for _, rank := range luzhanqi.Ranks {
		if ranks.Has(rank) {
			sum += m[p][rank]
		}
	}
	return sum
}
