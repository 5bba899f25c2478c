package film

import (
	"context"
	"fmt"
	"math"
	"slices"

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
	From    int           `json:"from,omitempty"` // the first ply of these; 0: all
	Plies   [][]Odds      `json:"plies"`          // the initial position first; fewer than the game has, if there was no time for more
	Bits    []float64     `json:"bits"`           // that are not known, at every ply from the beginning
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

// Thinker computes the beliefs of one side while a game goes on.
type Thinker struct {
	all      Beliefs
	believer player.Believer
}

// NewThinker is one for a side; nil: the game hides nothing.
func NewThinker(g game.Game, side game.Side, opinion bool) *Thinker {
	b := levels.Believer(g)
	if b == nil {
		return nil
	}
	return &Thinker{Beliefs{Side: side.Number(), Opinion: opinion, Kinds: b.Kinds(), Plies: [][]Odds{}, Bits: []float64{}}, b}
}

// Knows is how many positions were thought of.
func (t *Thinker) Knows() int { return len(t.all.Plies) }

// Saw takes in the next view, the initial one at first.
func (t *Thinker) Saw(v game.View) {
	t.believer.Saw(v)
	now := []Odds{}
	for _, o := range t.believer.Odds(t.all.Opinion) {
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
	t.all.Plies = append(t.all.Plies, now)
	t.all.Bits = append(t.all.Bits, math.Round(10*t.believer.Bits())/10)
}

// All are the beliefs so far.
func (t *Thinker) All() *Beliefs {
	b := t.all
	b.Plies, b.Bits = slices.Clip(b.Plies), slices.Clip(b.Bits)
	return &b
}

// Part are those of so many plies, from one on, with the bits of all; no number of plies: all that follow.
func (b *Beliefs) Part(from, plies int) *Beliefs {
	part := *b
	part.From = max(0, min(from, len(b.Plies)))
	to := len(b.Plies)
	if plies > 0 {
		to = min(to, part.From+plies)
	}
	part.Plies = b.Plies[part.From:to:to]
	return &part
}

// BothBeliefs are those of both sides of a record; none if the game hides nothing or the record has no position.
func BothBeliefs(ctx context.Context, r *record.Replay, g game.Game, opinion bool) (both [2]*Beliefs, err error) {
	if KindsOf(g) == nil || len(r.Positions) == 0 {
		return both, nil
	}
	for side := range both {
		if both[side], err = BeliefsOf(ctx, r, g, game.Side(side), opinion); err != nil {
			return both, err
		}
	}
	return both, nil
}

// BeliefsOf are the beliefs of one side of a record. When ctx ends, so do they.
func BeliefsOf(ctx context.Context, r *record.Replay, g game.Game, side game.Side, opinion bool) (*Beliefs, error) {
	t := NewThinker(g, side, opinion)
	if t == nil {
		return nil, fmt.Errorf("%s hides nothing", g.Name())
	}
	for _, pos := range r.Positions {
		if ctx.Err() != nil {
			break
		}
		t.Saw(pos.View(side))
	}
	return t.All(), nil
}
