package luzhanqi

import (
	"math"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/network"
)

// A position is worth the same from either end of the board, and more pieces are worth more.
func TestNetworkJudgement(t *testing.T) {
	up, down := 0, 0
	for seed := range uint64(50) {
		r := newRand(seed)
		b := luzhanqi.Deploy(sheltered(r), sheltered(r))
		judge := func(b luzhanqi.Board, side game.Side) float64 {
			w := newWorld(&b, side, false, bySquare())
			return float64(w.evaluation(&w.start, side, network.Default()))
		}
		if a, b := judge(b, game.First), judge(b.Turn(), game.Second); math.Abs(a-b) > 1 {
			t.Errorf("seed %d: %v below, %v above", seed, a, b)
		}
		poorer := b
		for sq := range poorer.Of(game.Second).All() {
			if _, rank, _ := poorer.At(sq); rank >= luzhanqi.MajorGeneral && rank <= luzhanqi.FieldMarshal {
				poorer.Remove(sq)
			}
		}
		if judge(poorer, game.First) > judge(b, game.First) {
			up++
		}
		if judge(poorer, game.Second) < judge(b, game.Second) {
			down++
		}
	}
	if up < 49 || down < 49 {
		t.Errorf("the enemy without its generals was worse for it in %d, and judged so by it in %d of 50", up, down)
	}
}

// Two exchanges keep a set-up legal and its flag where it was, and make many of one.
func TestVariedSetUps(t *testing.T) {
	seen := map[luzhanqi.SetUp]bool{}
	s := setUpBook().setUps[0]
	for seed := range uint64(500) {
		v := varied(s, newRand(seed))
		if _, err := luzhanqi.ParseSetUp(v.String()); err != nil {
			t.Fatal(err)
		}
		for sq := range game.Square(30) {
			if was, is := s.At(sq), v.At(sq); was != is && (!was.Moves() || !is.Moves()) {
				t.Fatalf("seed %d: %v became %v on %s", seed, was, is, luzhanqi.SquareName(sq))
			}
		}
		seen[v] = true
	}
	if len(seen) < 450 {
		t.Errorf("only %d set-ups of 500 drawings", len(seen))
	}
}

func BenchmarkLeaf(b *testing.B) {
	v := midgame(b, 3, 20)
	d := &sampler{view: v, belief: hiddeninfo.New(v), style: Strong, random: newRand(1)}
	worlds, _ := d.draw(1)
	for name, n := range map[string]*network.Network{"handmade": nil, "learned": network.Default()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				worlds[0].evaluation(&worlds[0].start, game.First, n)
			}
		})
	}
}
