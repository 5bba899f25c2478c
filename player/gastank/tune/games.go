package main

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/gastank"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
	"luzhanqi/player/gastank"
)

// play plays all games on all processors, and returns their positions.
func (c *command) play() ([]tuned, error) {
	reading, err := game.ParseRules("", rules.Game{}.Options())
	if err != nil {
		return nil, err
	}
	all := make([][]tuned, c.Games)
	errs := make([]error, c.Games)
	var workers sync.WaitGroup
	numbers := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := range numbers {
				all[n], errs[n] = c.playOne(reading, rand.New(rand.NewPCG(c.Seed, uint64(n))))
			}
		})
	}
	for n := range c.Games {
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	var positions []tuned
	for n, one := range all {
		if errs[n] != nil {
			return nil, errs[n]
		}
		positions = append(positions, one...)
	}
	return positions, nil
}

func (c *command) playOne(reading game.Rules, r *rand.Rand) (played []tuned, err error) {
	p, err := opening(reading, r)
	if err != nil {
		return nil, err
	}
	var players [2]player.Player
	for side := range players {
		players[side] = alphabeta.New(rules.Game{}, gastank.Search, alphabeta.Config{Nodes: c.Nodes}, player.Options{})
	}
	for {
		if o, over := p.Outcome(); over {
			for i := range played {
				played[i].result = o.Points(game.First)
			}
			return played, nil
		}
		b := p.View(p.Mover()).(rules.View).Board()
		if !attacksKing(&b, game.First) && !attacksKing(&b, game.Second) && r.IntN(2) == 0 {
			played = append(played, tuned{terms: countTerms(&b, p.Mover())})
		}
		p = p.Play(players[p.Mover()].Choose(p.View(p.Mover()), time.Now().Add(time.Hour), r))
	}
}

// opening is a position after some random moves.
func opening(reading game.Rules, r *rand.Rand) (game.Position, error) {
	for {
		p, err := rules.Game{}.New(reading, [2]game.SetUp{})
		if err != nil {
			return nil, err
		}
		over := false
		for n := 2 + r.IntN(5); n > 0 && !over; n-- {
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
			_, over = p.Outcome()
		}
		if !over {
			return p, nil
		}
	}
}

// attacksKing says whether a side could take the enemy's king if it were its turn.
func attacksKing(b *rules.Board, side game.Side) bool {
	king, ok := b.King(side.Other())
	for left := b.Of(side) & b.Fuelled(); ok && left != 0; left &= left - 1 {
		if b.Targets(left.First()).Has(king) {
			return true
		}
	}
	return false
}
