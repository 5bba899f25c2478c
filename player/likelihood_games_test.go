package player

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// learnPairs are who plays, each pairing as many games; all styles count alike, however many pieces they show.
var learnPairs = [][2]string{
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

// setUpSources are what the prior is learned from, each as often.
var setUpSources = []struct {
	name string
	draw func(*rand.Rand) luzhanqi.SetUp
}{
	{"book", setUps.draw},
	{"knowledge", sheltered},
	{"rush", func(r *rand.Rand) luzhanqi.SetUp { return mustSetUp((&rush{}).SetUp(r)) }},
	{"random", luzhanqi.RandomSetUp},
	{"greedy", func(r *rand.Rand) luzhanqi.SetUp { return mustSetUp((&greedy{}).SetUp(r)) }},
}

func mustSetUp(text game.SetUp) luzhanqi.SetUp {
	s, err := luzhanqi.ParseSetUp(string(text))
	if err != nil {
		panic(err)
	}
	return s
}

// habitGame is a game to learn from.
type habitGame struct {
	names  [2]string
	setUps [2]luzhanqi.SetUp
	moves  []game.Move
}

// playToLearn plays one. Half the set-ups are not the player's own, so that its moves are learned
// and not its set-ups.
func playToLearn(t *testing.T, names [2]string, seed uint64) *habitGame {
	g := &habitGame{names: names}
	var players [2]Player
	var random [2]*rand.Rand
	for side, name := range names {
		r := rand.New(rand.NewPCG(seed, uint64(side)))
		l, err := FindLevel(luzhanqi.Game{}, name)
		if err != nil {
			t.Fatal(err)
		}
		players[side], random[side] = l.New(luzhanqi.Game{}, Options{Nodes: 2000}), r
		if s, ok := players[side].(*searcher); ok {
			s.style.workers = 1
		}
		if n := r.IntN(8); n < 4 {
			g.setUps[side] = setUpSources[n].draw(r)
		} else {
			g.setUps[side] = mustSetUp(players[side].SetUp(r))
		}
	}
	const longest = 400
	p := luzhanqi.NewPosition(g.setUps[0], g.setUps[1], false)
	for range longest {
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		m := players[side].Choose(p.View(side), time.Now().Add(time.Hour), random[side])
		g.moves = append(g.moves, m)
		p = p.Play(m).(*luzhanqi.Position)
	}
	return g
}

// playAllToLearn plays on two processors; the games do not depend on that.
func playAllToLearn(t *testing.T) []*habitGame {
	all := make([]*habitGame, *learnHabitsGames*len(learnPairs))
	next := make(chan int)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for i := range next {
				names := learnPairs[i / *learnHabitsGames]
				if i%2 == 1 {
					names[0], names[1] = names[1], names[0]
				}
				all[i] = playToLearn(t, names, *gateSeed<<32|uint64(i))
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	group.Wait()
	return all
}
