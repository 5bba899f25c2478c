package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
)

// pairings are who plays, each pairing as many games; all styles count alike, however many pieces they show.
var pairings = [][2]string{
	{"greedy", "greedy"},
	{"greedy", "rush"},
	{"rush", "rush"},
	{"greedy", "medium"},
	{"medium", "medium"},
	{"medium", "rush"},
	{"easy", "medium"},
	{"strong", "strong"},
	{"strong", "greedy"},
	{"easy", "rush"},
}

// sources of set-ups are what the prior is learned from, each as often.
var sources = []struct {
	name string
	draw func(*rand.Rand) rules.SetUp
}{
	{"book", luzhanqi.AsInBook.Draw},
	{"rows", luzhanqi.ByRows.Draw},
	{"rush", luzhanqi.AsRush.Draw},
	{"random", rules.RandomSetUp},
	{"greedy", luzhanqi.AsGreedy.Draw},
}

// played is a game to learn from.
type played struct {
	names  [2]string
	setUps [2]rules.SetUp
	moves  []game.Move
}

// play plays all games on all processors; the games do not depend on how many there are.
func (c *command) play() ([]*played, error) {
	levels := map[string]player.Level{}
	for _, l := range luzhanqi.Levels() {
		levels[l.Name] = l
	}
	all := make([]*played, c.Games*len(pairings))
	errs := make([]error, len(all))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				names := pairings[i/c.Games]
				if i%2 == 1 {
					names[0], names[1] = names[1], names[0]
				}
				all[i], errs[i] = c.playOne(levels, names, c.Seed<<32|uint64(i))
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	group.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i, err)
		}
	}
	return all, nil
}

// playOne plays one. Half the set-ups are not the player's own, so that its moves are learned and not its
// set-ups.
func (c *command) playOne(levels map[string]player.Level, names [2]string, seed uint64) (*played, error) {
	g := &played{names: names}
	var players [2]player.Player
	var random [2]*rand.Rand
	for side, name := range names {
		r := rand.New(rand.NewPCG(seed, uint64(side)))
		players[side], random[side] = levels[name].New(rules.Game{}, player.Options{Nodes: c.Nodes, Threads: 1}), r
		if n := r.IntN(8); n < 4 {
			g.setUps[side] = sources[n].draw(r)
			continue
		}
		s, err := rules.ParseSetUp(string(players[side].SetUp(r)))
		if err != nil {
			return nil, err
		}
		g.setUps[side] = s
	}
	const longest = 400
	p := rules.NewPosition(g.setUps[0], g.setUps[1], false)
	for range longest {
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		m := players[side].Choose(p.View(side), time.Now().Add(time.Hour), random[side])
		g.moves = append(g.moves, m)
		p = p.Play(m).(*rules.Position)
	}
	return g, nil
}

// examples takes a game's positions, one of six, as the side to move sees them.
func (g *played) examples(r *rand.Rand, skip string, dst []example) []example {
	p := rules.NewPosition(g.setUps[0], g.setUps[1], false)
	var beliefs [2]*hiddeninfo.Belief
	var models [2]*likelihood.BehaviourModel
	for side := range game.Side(2) {
		v := p.View(side).(*rules.View)
		beliefs[side] = hiddeninfo.New(v)
		beliefs[side].SetMixture(likelihood.DefaultMakers().Mixture(1))
		models[side] = likelihood.New(v, likelihood.Default())
	}
	for _, m := range g.moves {
		p = p.Play(m).(*rules.Position)
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		if r.IntN(6) > 0 || g.names[side.Other()] == skip {
			continue
		}
		v := p.View(side).(*rules.View)
		b, h := beliefs[side], models[side]
		b.Update(v)
		h.Update(v)
		for n := range hiddeninfo.Piece(hiddeninfo.Pieces) {
			if b.Hidden()>>n&1 != 0 && b.Mask(n).Len() > 1 {
				e := newExample(b, n, g.setUps[side.Other()].At(home(n)))
				e.style, e.measures = g.names[side.Other()], h.Measures(n)
				dst = append(dst, e)
			}
		}
	}
	return dst
}
