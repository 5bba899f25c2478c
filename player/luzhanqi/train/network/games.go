package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/network"
)

// sample is one position from one side, with the points that side got in the end. There are millions.
type sample struct {
	rows   [50]uint16
	n      int
	terms  [network.Terms]float32
	hand   float32 // half the logit of winning by the handmade terms
	older  float32 // the same by the network of f665184
	points float32
}

// longest is the number of plies after which a game counts as drawn.
const longest = 800

// newPlayer makes a player for one game: strong with few worlds and short playouts, which believes and judges as the frozen level
// does. To count for every maker takes ten times as long as all its playouts.
func newPlayer(nodes int, r *rand.Rand) *luzhanqi.Searcher {
	s := luzhanqi.Strong
	s.Worlds, s.Most, s.Workers, s.Plies = 16, 0, 1, 10
	s.Trust, s.Learned, s.Network = luzhanqi.F665184.Trust, luzhanqi.F665184.Learned, luzhanqi.FrozenNetwork
	s.SetUps = []luzhanqi.SetUpSource{luzhanqi.FromBook, luzhanqi.FromBook, luzhanqi.ByRows, luzhanqi.AsGreedy}[r.IntN(4)]
	return luzhanqi.NewSearcher(s, player.Options{Nodes: nodes})
}

// selfPlay plays one game and returns its positions as both sides see them. A share of the moves, which differs from game to game, is
// made as in playouts, so that there are positions like those where playouts end, and how games end that are played on from there.
func selfPlay(seed uint64, nodes int) (all []sample) {
	r := rand.New(rand.NewPCG(seed, 77))
	players := [2]*luzhanqi.Searcher{newPlayer(nodes, r), newPlayer(nodes, r)}
	var armies [2]rules.SetUp
	for side, p := range players {
		armies[side], _ = rules.ParseSetUp(string(p.SetUp(r))) // a player's own is legal
	}
	quick := []float64{0, 0.15, 0.3, 0.6}[r.IntN(4)]
	p := rules.NewPosition(armies[0], armies[1], false)
	board := p.Board()
	replay := luzhanqi.NewReplay(&board, game.First)
	for p.Ply() < longest {
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		if p.Ply() >= settledIn {
			for s := range game.Side(2) {
				leaf := replay.Leaf(s)
				x := sample{n: len(leaf.Rows), terms: leaf.Terms, hand: leaf.Handmade, older: leaf.Older}
				copy(x.rows[:], leaf.Rows)
				all = append(all, x)
			}
		}
		v := p.View(side)
		m := players[side].Choose(v, time.Now().Add(time.Hour), r)
		if r.Float64() < quick {
			if q := players[side].Quick(r); q != nil {
				m = *q
			}
		}
		replay.Play(m)
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

// settledIn is the ply from which on positions are learned from: before it, set-ups are all that there is.
const settledIn = 4

// play plays all games on all processors, and returns the samples of each.
func (c *command) play(out io.Writer, began time.Time) [][]sample {
	games := make([][]sample, c.Games)
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for g := range next {
				games[g] = selfPlay(c.Seed<<32+uint64(g), c.Nodes)
			}
		})
	}
	for g := range games {
		next <- g
		if g%1000 == 999 {
			fmt.Fprintf(out, "%d games, %v\n", g+1, time.Since(began).Round(time.Second))
		}
	}
	close(next)
	wg.Wait()
	return games
}
