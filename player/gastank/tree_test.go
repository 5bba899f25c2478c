package gastank

import (
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
)

// exhausted is whether the mover wins, by playing out every move to the end of the game by the rules'
// own package; nothing of the search is used. Ok is false when that takes too many positions.
func exhausted(p gastank.Position, values map[gastankKey]bool, budget *int) (wins, ok bool) {
	if o, over := p.Outcome(); over {
		return o.Winner == p.Mover(), true
	}
	k := gastankKey{p.Board(), p.Mover()}
	if wins, found := values[k]; found {
		return wins, true
	}
	if *budget--; *budget < 0 {
		return false, false
	}
	for _, m := range p.Moves(nil) {
		lost, ok := exhausted(p.Play(m).(gastank.Position), values, budget)
		if !ok {
			return false, false
		}
		if !lost {
			wins = true
			break
		}
	}
	values[k] = wins
	return wins, true
}

type gastankKey struct {
	board gastank.Board
	mover game.Side
}

// drawn is a position after a move that is drawn.
func drawn(p gastank.Position, r *rand.Rand) gastank.Position {
	moves := p.Moves(nil)
	return p.Play(moves[r.IntN(len(moves))]).(gastank.Position)
}

// searching is a player that looks at so many positions a move.
func searching(nodes int) *alphabeta.Player {
	return alphabeta.New(gastank.Game{}, Search, alphabeta.Config{}, player.Options{Nodes: nodes})
}

// In positions that can be exhausted, the search proves the right winner, and a winner's choice is a
// move that wins.
func TestGasTankProofsAreExact(t *testing.T) {
	won, lost, hard := 0, 0, 0
	for seed := uint64(0); seed < 400 && (won < 30 || lost < 30); seed++ {
		r := rand.New(rand.NewPCG(seed, 31))
		p := gastank.NewPosition()
		for range 60 {
			if _, over := p.Outcome(); over {
				break
			}
			b := p.Board()
			if g := gasLeft(&b, 0) + gasLeft(&b, 1); g <= 8 && len(p.Moves(nil)) > 1 {
				budget, values := 20_000, map[gastankKey]bool{}
				wins, ok := exhausted(p, values, &budget)
				if !ok {
					hard++
				} else {
					searcher := searching(400_000)
					m := searcher.Choose(p.View(p.Mover()), time.Time{}, rand.New(rand.NewPCG(seed, 9)))
					thought, _ := searcher.Explain()
					if wins && thought.Wins == 0 || !wins && thought.Loses == 0 {
						t.Errorf("seed %d: wins %v; the search thinks %+v\n%s", seed, wins, thought, p.Draw(game.DrawStyle{}))
					}
					if wins {
						won++
						after, ok := exhausted(p.Play(m).(gastank.Position), values, &budget)
						if ok && after {
							t.Errorf("seed %d: %s gives the win away\n%s", seed, gastank.MoveName(m), p.Draw(game.DrawStyle{}))
						}
					} else {
						lost++
					}
					break
				}
			}
			p = drawn(p, r)
		}
	}
	t.Logf("%d won, %d lost, %d that were too hard", won, lost, hard)
	if won < 20 || lost < 20 {
		t.Errorf("%d won and %d lost positions are too few", won, lost)
	}
}
