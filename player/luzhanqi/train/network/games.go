package main

import (
	"math"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/network"
)

// sample is one position from one side, with the points that side got in the end. There are millions.
type sample struct {
	rows   [50]int16
	n      int
	terms  [network.Terms]float32
	hand   float32 // what the handmade evaluation says, before its hyperbolic tangent
	points float32
}

func sampleOf(b *rules.Board, mover, side game.Side) sample {
	leaf := luzhanqi.LeafOf(b, mover, side)
	x := sample{terms: leaf.Terms, hand: float32(math.Atanh(leaf.Handmade * 10_000 / 10_001)), n: len(leaf.Rows)}
	for i, row := range leaf.Rows {
		x.rows[i] = int16(row)
	}
	return x
}

// selfPlay plays one game and returns its positions, by both sides, in pairs.
func selfPlay(seed uint64, nodes int) []sample {
	r := rand.New(rand.NewPCG(seed, 77))
	style := luzhanqi.Strong
	style.Worlds, style.Workers = 8, 1
	var players [2]player.Player
	for side := range players {
		s := style
		s.SetUps = []luzhanqi.SetUpSource{luzhanqi.FromBook, luzhanqi.FromBook, luzhanqi.ByRows, luzhanqi.AsGreedy}[r.IntN(4)]
		players[side] = luzhanqi.NewSearcher(s, player.Options{Nodes: nodes})
		if r.IntN(12) == 0 {
			players[side] = luzhanqi.NewRush(luzhanqi.DefaultRush)
		}
	}
	var armies [2]rules.SetUp
	for side, p := range players {
		armies[side], _ = rules.ParseSetUp(string(p.SetUp(r))) // a player's own is legal
	}
	noise := []float64{0, 0.05, 0.15}[r.IntN(3)]
	p := rules.NewPosition(armies[0], armies[1], false)
	var all []sample
	for p.Ply() < 600 {
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		if p.Ply() >= 4 {
			board := p.Board()
			all = append(all, sampleOf(&board, side, game.First), sampleOf(&board, side, game.Second))
		}
		v := p.View(side)
		var m game.Move
		if r.Float64() < noise {
			moves := v.Moves(nil)
			m = moves[r.IntN(len(moves))]
		} else {
			m = players[side].Choose(v, time.Now().Add(time.Hour), r)
		}
		p = p.Play(m).(*rules.Position)
	}
	o, over := p.Outcome()
	if !over {
		o = game.Drawn("plies")
	}
	for i := range all {
		all[i].points = float32(o.Points(game.Side(i % 2)))
	}
	return all
}
