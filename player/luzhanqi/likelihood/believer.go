package likelihood

import (
	"math"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
)

// Believer is a watcher for those who know no game. The zero value is ready to use.
type Believer struct{ watcher *Watcher }

var _ player.Believer = (*Believer)(nil)

// NewBeliever is one for one side of one game.
func NewBeliever() player.Believer { return &Believer{} }

func (*Believer) Kinds() (all []player.Kind) {
	for _, rank := range luzhanqi.Ranks {
		all = append(all, player.Kind{Letter: string(rank.Letter()), Name: rank.String()})
	}
	return all
}

func (b *Believer) Saw(v game.View) {
	seen := v.(*luzhanqi.View)
	if b.watcher == nil {
		b.watcher = Watch(seen, Default(), DefaultTrust)
	}
	b.watcher.Update(seen)
}

func (b *Believer) Odds(opinion bool) (all []player.Odds) {
	key := "constraints"
	if opinion {
		key = "both"
	}
	var marginals *hiddeninfo.Marginals
	for _, o := range Opinions {
		if o.Key == key {
			marginals = b.watcher.Marginals(o)
		}
	}
	for p := range hiddeninfo.Piece(hiddeninfo.Pieces) {
		sq, alive := b.watcher.Belief.SquareOf(p)
		if !alive {
			continue
		}
		odds := player.Odds{Square: sq}
		for _, rank := range luzhanqi.Ranks {
			odds.Of = append(odds.Of, marginals[p][rank])
		}
		all = append(all, odds)
	}
	return all
}

func (b *Believer) Bits() float64 { return math.Log2(max(1, b.watcher.Belief.Worlds())) }
