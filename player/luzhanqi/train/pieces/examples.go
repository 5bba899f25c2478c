package main

import (
	"math/rand/v2"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/train/gamefile"
)

const columns = likelihood.Outputs

// input is one of the model's that is not zero.
type input struct {
	number int32
	value  float32
}

// example is a piece of which somebody has seen something.
type example struct {
	odds   [columns]float32 // by the constraints and the makers
	truth  int8             // which of the ranks it is
	player string           // whose piece it is
	own    []input
	shared []input // the same for all pieces of the position
}

// Positions late in long games are left out: they are many, and nearly all of them of few games.
const latest = 250

// examplesOf takes one of every so many positions of a game, as the side to move sees it.
func examplesOf(g *gamefile.Game, every int, r *rand.Rand) (all []example, err error) {
	armies, err := g.Armies()
	if err != nil {
		return nil, err
	}
	var beliefs [2]*hiddeninfo.Belief
	var models [2]*likelihood.BehaviourModel
	_, err = g.Replay(func(p *rules.Position, _ game.Move) {
		side := p.Mover()
		if p.Ply() == 0 || p.Ply() > latest || r.IntN(every) > 0 {
			return
		}
		v := p.View(side).(*rules.View)
		if beliefs[side] == nil {
			begin := rules.NewView(side, v.SetUp(), v.MinesStay())
			beliefs[side] = hiddeninfo.New(begin)
			beliefs[side].SetMixture(likelihood.DefaultMakers().Mixture(1))
			models[side] = likelihood.New(begin, nil)
		}
		b, h := beliefs[side], models[side]
		b.Update(v)
		h.Update(v)
		var shared []input
		h.InputsOfAll(func(number int, value float32) { shared = append(shared, input{int32(number), value}) })
		for n := range hiddeninfo.Piece(hiddeninfo.Pieces) {
			if b.Hidden()>>n&1 == 0 || b.Mask(n).Len() < 2 {
				continue
			}
			e := example{player: g.Players[side.Other()], shared: shared}
			truth := armies[side.Other()].At(hiddeninfo.Homes[n])
			for i, rank := range rules.Ranks {
				e.odds[i] = float32(b.Marginals()[n][rank])
				if rank == truth {
					e.truth = int8(i)
				}
			}
			h.InputsOf(n, func(number int, value float32) { e.own = append(e.own, input{int32(number), value}) })
			all = append(all, e)
		}
	})
	return all, err
}
