package likelihood

import (
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// doubt is how likely it is that nothing that was learned holds for this enemy. It is learned in each game, by the rule of Bayes:
// what is believed and what the rules alone say are judged by how likely they called what was then seen of pieces in fights, and when flags
// were shown. That pieces move is not judged, for nobody foretells which.
type doubt struct {
	start, now float64
	known      [hiddeninfo.Pieces]hiddeninfo.Mask
	// What was foretold of each piece, opinions with their doubt and the rules alone.
	believed, plain *hiddeninfo.Marginals
}

// forgotten is the part of what was learned of doubt that each fight lets be forgotten: who was foretold well so far may not be so in what
// has not been seen.
const forgotten = 0.05

// foretell notes what the belief says of what comes next.
func (d *doubt) foretell(b *hiddeninfo.Belief) {
	d.believed, d.plain = b.Marginals(), b.Constraints()
	for p := range d.known {
		d.known[p] = b.Known(hiddeninfo.Piece(p))
	}
}

// judge learns from what has been seen since.
func (d *doubt) judge(b *hiddeninfo.Belief) {
	told := d.now // the part of the doubt in what was foretold
	for p := range d.known {
		known := b.Known(hiddeninfo.Piece(p))
		if known == d.known[p] || known == d.known[p]&hiddeninfo.Movers {
			continue
		}
		believed, plain := 0.0, 0.0
		for _, rank := range luzhanqi.Ranks {
			if known.Has(rank) {
				believed += d.believed[p][rank]
				plain += d.plain[p][rank]
			}
		}
		if opinions := (believed - told*plain) / (1 - told); opinions > 0 && plain > 0 {
			d.now *= plain / (d.now*plain + (1-d.now)*opinions)
			d.now += forgotten * (d.start - d.now)
		}
	}
}
