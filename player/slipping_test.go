package player

import (
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// firstMove plays the first of the moves, and counts how often it was asked.
type firstMove struct{ asked int }

func (*firstMove) SetUp(*rand.Rand) game.SetUp { return "" }

func (p *firstMove) Choose(v game.View, _ time.Time, _ *rand.Rand) game.Move {
	p.asked++
	return v.Moves(nil)[0]
}

// The share of random moves is what it is said to be, every legal move is among them, and the player is not asked for them.
func TestSlipping(t *testing.T) {
	p, err := jungle.Game{}.New(game.Rules{}, [2]game.SetUp{})
	if err != nil {
		t.Fatal(err)
	}
	v := p.View(game.First)
	moves := v.Moves(nil)
	for _, percent := range []int{0, 20, 80, 100} {
		sure := &firstMove{}
		l := Slipping(Level{Name: "first", New: func(game.Game, Options) Player { return sure }}, percent)
		slips := l.New(jungle.Game{}, Options{})
		chosen := map[game.Move]int{}
		r := rand.New(rand.NewPCG(1, uint64(percent)))
		const times = 10_000
		for range times {
			chosen[slips.Choose(v, time.Time{}, r)]++
		}
		random := times * percent / 100
		if off := sure.asked - (times - random); off < -200 || off > 200 {
			t.Errorf("%d %%: it was asked %d times of %d", percent, sure.asked, times)
		}
		for _, m := range moves[1:] {
			if want := random / len(moves); chosen[m] < want*2/3 || chosen[m] > want*3/2 {
				t.Errorf("%d %%: move %v was chosen %d times, want about %d", percent, m, chosen[m], want)
			}
		}
	}
}
