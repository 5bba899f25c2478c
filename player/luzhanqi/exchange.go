package luzhanqi

import (
	"math/bits"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// flagValue is what the chance of a flag counts in an exchange: more than any piece, but not so much
// that one chance in fifty is worth a field marshal.
const flagValue = 3000

// material is the worth of the ranks in exchanges and in the evaluation, in hundredths of the unit of greedy.
// Those of the high ranks follow the table of greedy, which was settled by playing; landmines are worth little where no flag stands behind.
var material = [tables.RankCodes]int32{
	luzhanqi.FieldMarshal: 1000, luzhanqi.General: 800, luzhanqi.MajorGeneral: 620, luzhanqi.BrigadierGeneral: 460,
	luzhanqi.Colonel: 360, luzhanqi.Major: 270, luzhanqi.Captain: 200, luzhanqi.Lieutenant: 150,
	luzhanqi.Engineer: 230, luzhanqi.Bomb: 420, luzhanqi.Landmine: 230, luzhanqi.Flag: 0,
}

// exchanges are what one side knows of the other in one world, worked out for the questions that a
// playout asks: what is an attack worth, what does standing in reach of a piece cost. The side judges
// the pieces by this and never by the truth.
type exchanges struct {
	// gain is what the own rank can expect of attacking an enemy piece, danger what it can expect to
	// lose when the piece attacks it.
	gain, danger [tables.RankCodes][32]int16
	// The same for a piece of which the playout has shown something.
	gainShown, dangerShown [tables.RankCodes][16]int16
	// How likely the own rank stays when it attacks, in parts of 256.
	stays      [tables.RankCodes][32]uint8
	staysShown [tables.RankCodes][16]uint8
	kept       *kept    // nil, unless a policy is learned by these
	weighed    *weighed // the same as the policy of playouts sees it; nil: there is none
	// aims are the enemy's headquarters, the likelier place of its flag first, and second is how
	// likely it is the other, in parts of 256.
	aims   [2]game.Square
	second uint8
}

// odds are probabilities by rank code.
type odds [tables.RankCodes]float64

// suspects are the odds of every enemy piece that stands, by its number; the others are zero.
type suspects [32]odds

// newExchanges works out what a side knows. Squares are those of the enemy's pieces by number.
func newExchanges(of *suspects, standing uint32, squares *[32]game.Square, minesStay bool) *exchanges {
	k := &exchanges{}
	for left := standing; left != 0; left &= left - 1 {
		p := bits.TrailingZeros32(left) & 31
		e := expect(&of[p], minesStay)
		for rank := luzhanqi.Engineer; rank <= luzhanqi.Bomb; rank++ {
			k.gain[rank][p], k.danger[rank][p] = int16(e.gain[rank]), int16(max(e.danger[rank], 0))
			k.stays[rank][p] = uint8(255 * max(1-e.falls[rank], 0))
		}
		k.danger[luzhanqi.Landmine][p], k.danger[luzhanqi.Flag][p] = 0, flagValue
	}
	army := of.army(standing)
	for code := 1; code < shownCodes; code++ {
		o := army.shown(code)
		e := expect(&o, minesStay)
		for rank := luzhanqi.Engineer; rank <= luzhanqi.Bomb; rank++ {
			k.gainShown[rank][code], k.dangerShown[rank][code] = int16(e.gain[rank]), int16(max(e.danger[rank], 0))
			k.staysShown[rank][code] = uint8(255 * max(1-e.falls[rank], 0))
		}
		k.dangerShown[luzhanqi.Flag][code] = flagValue
	}
	k.aim(of, standing, squares)
	return k
}

// army is how many of each rank a side can expect among the pieces that stand.
func (of *suspects) army(standing uint32) (army odds) {
	for left := standing; left != 0; left &= left - 1 {
		for rank, chance := range of[bits.TrailingZeros32(left)&31] {
			army[rank] += chance
		}
	}
	return army
}

// shown are the odds of an army's member of which a playout has shown something.
func (o *odds) shown(code int) (of odds) {
	switch code {
	case shownEngineer:
		of[luzhanqi.Engineer] = 1
	case shownMobile:
		copy(of[luzhanqi.Engineer:luzhanqi.Landmine], o[luzhanqi.Engineer:luzhanqi.Landmine])
	default:
		for rank := luzhanqi.Rank(code) + 1; rank <= luzhanqi.FieldMarshal; rank++ {
			of[rank] = o[rank] + 1e-3
		}
	}
	of.normalize()
	return of
}

func (o *odds) normalize() {
	total := 0.0
	for _, chance := range o {
		total += chance
	}
	if total > 0 {
		for rank := range o {
			o[rank] /= total
		}
	}
}

// expected is what each own rank can expect of attacking a piece, and what it can expect to lose if that attacks it.
type expected struct{ gain, danger, falls [tables.RankCodes]float64 }

// stakes are what an own rank wins and loses in a fight that it begins with another, and what it loses and wins in one
// that the other begins.
type stakes struct{ win, lose, fall, avenged float64 }

// allStakes are by minesStay, the code of the other, and that of the own rank: so what is asked for one piece lies together.
var allStakes = func() (all [2][tables.RankCodes][tables.RankCodes]stakes) {
	for stay := range all {
		for code := luzhanqi.Engineer; code < luzhanqi.Flag; code++ {
			for rank := luzhanqi.Engineer; rank <= luzhanqi.Bomb; rank++ {
				s := &all[stay][code][rank]
				result := combats[stay][int(rank)*tables.RankCodes+int(code)]
				if result.DefenderFalls() {
					s.win = float64(material[code])
				}
				if result.AttackerFalls() {
					s.lose = float64(material[rank])
				}
				if !code.Moves() {
					continue
				}
				result = combats[stay][int(code)*tables.RankCodes+int(rank)]
				if result.DefenderFalls() {
					s.fall = float64(material[rank])
				}
				if result.AttackerFalls() {
					s.avenged = float64(material[code])
				}
			}
		}
	}
	return all
}()

// FightGain is what a fight that the attacker's side begins is worth to it by the pieces that fall, in hundredths of the unit
// of greedy; a flag is worth nothing here.
func FightGain(attacker, defender luzhanqi.Rank, minesStay bool) int {
	result, gain := luzhanqi.Combat(attacker, defender, minesStay), int32(0)
	if result.DefenderFalls() {
		gain += material[defender&15]
	}
	if result.AttackerFalls() {
		gain -= material[attacker&15]
	}
	return int(gain)
}

// expect adds up the stakes by the odds of a piece.
func expect(of *odds, minesStay bool) (e expected) {
	stay := 0
	if minesStay {
		stay = 1
	}
	for code := luzhanqi.Engineer; code < luzhanqi.Flag; code++ {
		p := of[code]
		if p == 0 {
			continue
		}
		all := &allStakes[stay][code]
		for rank := luzhanqi.Engineer; rank <= luzhanqi.Bomb; rank++ {
			s := &all[rank]
			e.gain[rank] += p * s.win
			e.gain[rank] -= p * s.lose
			if s.lose > 0 {
				e.falls[rank] += p
			}
			e.danger[rank] += p * s.fall
			e.danger[rank] -= p * s.avenged
		}
	}
	if p := of[luzhanqi.Flag]; p != 0 {
		for rank := luzhanqi.Engineer; rank <= luzhanqi.Bomb; rank++ {
			e.gain[rank] += p * flagValue
		}
	}
	return e
}

// aim finds where the flag may be.
func (k *exchanges) aim(of *suspects, standing uint32, squares *[32]game.Square) {
	k.aims = [2]game.Square{tables.Nowhere, tables.Nowhere}
	var chance [2]float64
	for left := standing; left != 0; left &= left - 1 {
		p := bits.TrailingZeros32(left) & 31
		c, sq := of[p][luzhanqi.Flag], squares[p]
		switch {
		case c > chance[0]:
			k.aims, chance = [2]game.Square{sq, k.aims[0]}, [2]float64{c, chance[0]}
		case c > chance[1]:
			k.aims[1], chance[1] = sq, c
		}
	}
	if total := chance[0] + chance[1]; total > 0 {
		k.second = uint8(255 * chance[1] / total)
	}
}

// draw returns one of the aims, by the random byte.
func (k *exchanges) draw(random uint8) game.Square {
	if random < k.second {
		return k.aims[1]
	}
	return k.aims[0]
}

// certain are the odds of a piece that is known.
func certain(rank luzhanqi.Rank) (o odds) {
	o[rank&15] = 1
	return o
}

// suspected are the odds of a piece by the ranks that it can be, each as likely as the army has left
// of it.
func suspected(m hiddeninfo.Mask, left *[tables.RankCodes]uint8) (o odds) {
	for _, rank := range luzhanqi.Ranks {
		if m.Has(rank) {
			o[rank] = float64(left[rank])
		}
	}
	o.normalize()
	return o
}

// flagOdds is how likely the flag is one of a side's pieces that can be it, as they stand: who knows no more than
// the masks has two headquarters to choose from, and not the whole army. Zero if the flag was shown, or no piece can
// be it.
func flagOdds(masks *[hiddeninfo.Pieces]hiddeninfo.Mask, standing luzhanqi.Squares, piece *[64]uint8) float64 {
	n := 0
	for sq := range standing.All() {
		if p := piece[sq]; p >= hiddeninfo.Pieces {
			continue
		} else if m := masks[p]; m == hiddeninfo.Only(luzhanqi.Flag) {
			return 0
		} else if m.Has(luzhanqi.Flag) {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return 1 / float64(n)
}

// setFlag makes a piece that can be the flag that with so much probability, and leaves the other ranks the rest.
func (o *odds) setFlag(m hiddeninfo.Mask, chance float64) {
	if !m.Has(luzhanqi.Flag) {
		return
	}
	o[luzhanqi.Flag] = 0
	o.normalize()
	for rank := range o {
		o[rank] *= 1 - chance
	}
	o[luzhanqi.Flag] = chance
}
