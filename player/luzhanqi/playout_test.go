package luzhanqi

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/likelihood"
)

// put places pieces such as "E11:9" of one side.
func put(t *testing.T, b *luzhanqi.Board, side game.Side, pieces ...string) {
	t.Helper()
	for _, text := range pieces {
		rank, err := luzhanqi.ParseRank(text[len(text)-1])
		if err != nil {
			t.Fatal(err)
		}
		b.Put(at(t, text[:len(text)-2]), side, rank)
	}
}

func at(t *testing.T, name string) game.Square {
	t.Helper()
	sq, err := luzhanqi.ParseSquare(name)
	if err != nil {
		t.Fatal(err)
	}
	return sq
}

// allKnown is a world in which both sides know all pieces of the other.
func allKnown(b *luzhanqi.Board) *world {
	w := newWorld(b, game.First, false, bySquare())
	d := sampler{view: luzhanqi.NewView(game.First, luzhanqi.SetUp{}, false)}
	for side := range game.Side(2) {
		var of suspects
		for sq := range w.start.of[side.Other()].All() {
			of[w.start.piece[sq]] = certain(w.start.rank[sq])
		}
		w.exchanges[side] = d.exchanges(&w.start, side.Other(), &of)
	}
	return w
}

// A piece that can enter two open squares next to a flag enters either; the policy of older levels only sees the
// first of them, and comes to the other as it comes to any square.
func TestEveryOpenGateIsSeen(t *testing.T) {
	var b luzhanqi.Board
	put(t, &b, game.First, "E11:7", "B1:F", "A1:L", "C1:L", "B2:L", "A3:5")
	put(t, &b, game.Second, "D12:F", "C12:L", "A12:4")
	entered := func(every bool) (second, first int) {
		w := allKnown(&b)
		w.everyGate = every
		for turn := range 200 {
			s := w.start
			s.aim = [2]game.Square{at(t, "D12"), at(t, "B1")}
			r := newRNG(1, 0, turn)
			var buffer moveBuffer
			if from, to, _ := w.quick(&s, &r, &buffer); from == at(t, "E11") {
				switch to {
				case at(t, "E12"):
					second++
				case at(t, "D11"):
					first++
				}
			}
		}
		return second, first
	}
	if second, first := entered(true); second < 70 || first < 70 {
		t.Errorf("of 200 playouts E12 is entered in %d, D11 in %d: either is as good", second, first)
	}
	if second, first := entered(false); second > 30 || first < 150 {
		t.Errorf("of 200 playouts of older levels E12 is entered in %d, D11 in %d: they should not see the second", second, first)
	}
}

// In worlds the enemy thinks either of our headquarters as likely to hold the flag; older levels have it think that of
// any piece of ours.
func TestEnemyKnowsWhereFlagsStand(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	own := sheltered(r)
	p := luzhanqi.NewPosition(own, sheltered(r), false)
	v := p.View(game.First).(*luzhanqi.View)
	odds := func(s Style) float64 {
		d := &sampler{view: v, belief: likelihood.Watch(v, likelihood.Default(), s.Trust).Belief, style: s, random: r}
		worlds, _ := d.draw(1)
		return float64(worlds[0].exchanges[game.Second].gain[luzhanqi.Engineer][1]) // of attacking B1
	}
	with, without := odds(Style{Beliefs: true, FlagOdds: true}), odds(Style{Beliefs: true})
	if with < 0.4*flagValue || with > 0.6*flagValue {
		t.Errorf("an engineer expects %v of attacking B1, which is the flag once in two times: about %v", with, flagValue/2)
	}
	if without > 0.1*flagValue {
		t.Errorf("the enemy of older levels expects %v", without)
	}

	masks := [hiddeninfo.Pieces]hiddeninfo.Mask{}
	for p := range masks {
		masks[p] = hiddeninfo.AnyRank &^ hiddeninfo.Only(luzhanqi.Flag)
	}
	var piece [64]uint8
	standing := luzhanqi.Squares(0)
	for p, home := range hiddeninfo.Homes {
		piece[home], standing = uint8(p), standing|luzhanqi.Bit(home)
	}
	masks[1], masks[3] = hiddeninfo.AnyRank, hiddeninfo.AnyRank
	if got := flagOdds(&masks, standing, &piece); got != 0.5 {
		t.Errorf("%v for each of two headquarters", got)
	}
	if got := flagOdds(&masks, standing&^luzhanqi.Bit(3), &piece); got != 1 {
		t.Errorf("%v for the only headquarters that still holds a piece", got)
	}
	masks[3] = hiddeninfo.Only(luzhanqi.Flag)
	if got := flagOdds(&masks, standing, &piece); got != 0 {
		t.Errorf("%v for the other headquarters when the flag was shown", got)
	}
}
