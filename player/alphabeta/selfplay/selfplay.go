// Package selfplay plays games of a search against itself, by which its evaluation is learned.
package selfplay

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
)

// Series is so many games. Each begins with some random moves, and is drawn at the cap of its game. It comes out the same wherever
// it is played, as long as the search is the same.
type Series struct {
	Game    game.Game
	Search  alphabeta.Game
	Games   int
	Nodes   int    // positions a move
	Seed    uint64 // of every random choice
	Opening [2]int // random moves at the start: the fewest, and the most
	Slips   []int  // percent of random moves afterwards: each game has one of these; nil: none
}

// Position is one of a game.
type Position[T any] struct {
	Sample T
	Result float64 // points of the first player in the end
}

// Play plays the series on all processors, and returns what sample makes of its positions by game, but for those that it
// leaves out. sample is called by many goroutines, with the random numbers of the game.
func Play[T any](s Series, sample func(v game.View, r *rand.Rand) (x T, ok bool)) ([][]Position[T], error) {
	reading, err := game.ParseRules("", s.Game.Options())
	if err != nil {
		return nil, err
	}
	if s.Games < 1 || s.Nodes < 1 {
		return nil, fmt.Errorf("%d games of %d positions a move: allowed are whole numbers from 1", s.Games, s.Nodes)
	}
	games, errs := make([][]Position[T], s.Games), make([]error, s.Games)
	var workers sync.WaitGroup
	numbers := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := range numbers {
				games[n], errs[n] = play(s, reading, rand.New(rand.NewPCG(s.Seed, uint64(n))), sample)
			}
		})
	}
	for n := range s.Games {
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return games, nil
}

func play[T any](s Series, reading game.Rules, r *rand.Rand, sample func(v game.View, r *rand.Rand) (T, bool)) (all []Position[T], err error) {
	p, err := s.opening(reading, r)
	if err != nil {
		return nil, err
	}
	slips := 0
	if len(s.Slips) > 0 {
		slips = s.Slips[r.IntN(len(s.Slips))]
	}
	var players [2]player.Player
	for side := range players {
		players[side] = alphabeta.New(s.Game, s.Search, alphabeta.Config{Nodes: s.Nodes}, player.Options{})
	}
	limit := player.Options{}.Cap(s.Game)
	for {
		o, over := p.Outcome()
		if !over && limit > 0 && p.Ply() >= limit {
			o, over = game.Drawn("plies"), true
		}
		if over {
			for i := range all {
				all[i].Result = o.Points(game.First)
			}
			return all, nil
		}
		v := p.View(p.Mover())
		if x, ok := sample(v, r); ok {
			all = append(all, Position[T]{Sample: x})
		}
		var m game.Move
		if slips > 0 && r.IntN(100) < slips {
			moves := p.Moves(nil)
			m = moves[r.IntN(len(moves))]
		} else {
			m = players[p.Mover()].Choose(v, time.Now().Add(time.Hour), r)
		}
		p = p.Play(m)
	}
}

// opening is a position after some random moves.
func (s *Series) opening(reading game.Rules, r *rand.Rand) (game.Position, error) {
	for {
		p, err := s.Game.New(reading, [2]game.SetUp{s.Game.RandomSetUp(r), s.Game.RandomSetUp(r)})
		if err != nil {
			return nil, err
		}
		over := false
		for n := s.Opening[0] + r.IntN(s.Opening[1]-s.Opening[0]+1); n > 0 && !over; n-- {
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
			_, over = p.Outcome()
		}
		if !over {
			return p, nil
		}
	}
}
