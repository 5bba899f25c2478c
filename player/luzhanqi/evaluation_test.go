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

// Two exchanges keep a set-up legal, its flag where it was and what stands on squares that keep, and make many of one. The books differ in that: the
// frozen one's pieces can be exchanged into a headquarters, where they stay for good.
func TestVariedSetUps(t *testing.T) {
	s := setUpBook().setUps[0]
	for _, keep := range []luzhanqi.Squares{0, luzhanqi.Headquarters} {
		seen := map[luzhanqi.SetUp]bool{}
		locked := 0
		for seed := range uint64(500) {
			v := varied(s, keep, newRand(seed))
			if _, err := luzhanqi.ParseSetUp(v.String()); err != nil {
				t.Fatal(err)
			}
			for sq := range game.Square(30) {
				was, is := s.At(sq), v.At(sq)
				if was != is && (!was.Moves() || !is.Moves() || keep.Has(sq)) {
					t.Fatalf("seed %d: %v became %v on %s", seed, was, is, luzhanqi.SquareName(sq))
				}
				if was != is && luzhanqi.Headquarters.Has(sq) {
					locked++
				}
			}
			seen[v] = true
		}
		if len(seen) < 400 || (locked > 0) != (keep == 0) {
			t.Errorf("only %d set-ups of 500 drawings, in %d of which another piece stands in a headquarters", len(seen), locked)
		}
	}
	lines := map[string]bool{}
	for _, s := range setUpBook().SetUps() {
		for _, s := range []luzhanqi.SetUp{s, mirrored(s)} {
			lines[inHeadquarters(s)] = true
		}
	}
	r, other := newRand(7), false
	for range 2000 {
		if in := inHeadquarters(FromBook.Draw(r)); !lines[in] {
			t.Fatalf("%s in the headquarters is in no line of the book", in)
		}
		switch inHeadquarters(FromBookF665184.Draw(r)) {
		case "8F", "F8", "9F", "F9", "BF", "FB":
			other = true
		}
	}
	if !other {
		t.Error("the frozen book never locks up a strong piece, as it did")
	}
}

func inHeadquarters(s luzhanqi.SetUp) string {
	var in []byte
	for sq := range (luzhanqi.Headquarters & luzhanqi.OwnHalf).All() {
		in = append(in, s.At(sq).Letter())
	}
	return string(in)
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
