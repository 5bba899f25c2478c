package likelihood_test

import (
	"math/rand/v2"
	"testing"
	"time"

	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
)

func init() { likelihood.GreedyGame = greedyGame }

func greedyGame(tb testing.TB, seed uint64, plies int) (positions []*rules.Position, setUps [2]rules.SetUp) {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	var players [2]player.Player
	for side := range players {
		players[side] = luzhanqi.Levels()[0].New(rules.Game{}, player.Options{})
		s, err := rules.ParseSetUp(string(players[side].SetUp(r)))
		if err != nil {
			tb.Fatal(err)
		}
		setUps[side] = s
	}
	p := rules.NewPosition(setUps[0], setUps[1], false)
	positions = append(positions, p)
	for range plies {
		if _, over := p.Outcome(); over {
			break
		}
		p = p.Play(players[p.Mover()].Choose(p.View(p.Mover()), time.Time{}, r)).(*rules.Position)
		positions = append(positions, p)
	}
	return positions, setUps
}
