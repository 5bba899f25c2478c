package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

// duel is games of Luzhanqi against one player, in which somebody looks on.
type duel struct {
	against string
	nodes   int // for a move of who would use the time
	seed    uint64
	both    bool // the moves of the enemy are told, too
}

// play plays the game of a number. The player has side 1 in even games, and both games of a pair begin with the same
// set-ups. Before each of its moves is played, moved is told who makes it, the position and the move.
func (d *duel) play(own player.Player, n int, moved func(by player.Player, p game.Position, m game.Move)) (game.Outcome, error) {
	side := game.Side(n & 1)
	enemy, err := find(rules.Game{}, d.against, player.Options{Nodes: d.nodes, Threads: 1})
	if err != nil {
		return game.Outcome{}, err
	}
	players := [2]player.Player{enemy, enemy}
	players[side] = own
	var setUps [2]game.SetUp
	var random [2]*rand.Rand
	for s := range players {
		setUps[s] = players[s].SetUp(rand.New(rand.NewPCG(d.seed, uint64(n>>1)<<1|uint64(s^n&1))))
		random[s] = rand.New(rand.NewPCG(^d.seed, uint64(n)<<1|uint64(s)))
	}
	p, err := rules.Game{}.New(game.Rules{}, setUps)
	if err != nil {
		return game.Outcome{}, err
	}
	for most := (rules.Game{}).Limits().MaxPlies; p.Ply() < most; {
		if o, over := p.Outcome(); over {
			return o, nil
		}
		s := p.Mover()
		showTruth(players[s], p)
		m := players[s].Choose(p.View(s), time.Now().Add(time.Hour), random[s])
		if err := p.Check(m); err != nil {
			return game.Outcome{}, fmt.Errorf("ply %d: player %d: %w", p.Ply(), s+1, err)
		}
		if s == side || d.both {
			moved(players[s], p, m)
		}
		p = p.Play(m)
	}
	if o, over := p.Outcome(); over {
		return o, nil
	}
	return game.Drawn("plies"), nil
}
