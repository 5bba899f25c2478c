package film

import (
	"context"
	"fmt"
	"math"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/referee/record"
)

// Beliefs are what one side of a recorded game could know of the other's hidden pieces, by ply.
type Beliefs struct {
	Side    int           `json:"side"`    // who believes
	Opinion bool          `json:"opinion"` // not by what was observed alone
	Kinds   []player.Kind `json:"kinds"`
	Plies   [][]Odds      `json:"plies"` // the initial position first; fewer than the game has, if there was no time for more
	Bits    []float64     `json:"bits"`  // that are not known
}

// Odds are those of the piece on a square: in 255ths by kind, where 0 is impossible and nothing else is.
type Odds struct {
	Square int   `json:"sq"`
	Of     []int `json:"p"`
}

// KindsOf are what hidden pieces can be; none in a game that hides nothing.
func KindsOf(g game.Game) []player.Kind {
	if b := levels.Believer(g); b != nil {
		return b.Kinds()
	}
	return nil
}

// BeliefsOf are the beliefs of one side of a record. When ctx ends, so do they.
func BeliefsOf(ctx context.Context, r *record.Replay, g game.Game, side game.Side, opinion bool) (*Beliefs, error) {
	b := levels.Believer(g)
	if b == nil {
		return nil, fmt.Errorf("%s hides nothing", g.Name())
	}
	all := &Beliefs{Side: side.Number(), Opinion: opinion, Kinds: b.Kinds(), Plies: [][]Odds{}, Bits: []float64{}}
	for _, pos := range r.Positions {
		if ctx.Err() != nil {
			break
		}
		b.Saw(pos.View(side))
		now := []Odds{}
		for _, o := range b.Odds(opinion) {
			piece := Odds{Square: int(o.Square)}
			for _, p := range o.Of {
				n := int(math.Round(255 * p))
				if p > 0 && n == 0 {
					n = 1
				}
				piece.Of = append(piece.Of, n)
			}
			now = append(now, piece)
		}
		all.Plies = append(all.Plies, now)
		all.Bits = append(all.Bits, math.Round(10*b.Bits())/10)
	}
	return all, nil
}
