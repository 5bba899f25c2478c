package player

import (
	"math"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// The text form loses nothing, and a damaged one is refused.
func TestNetworkText(t *testing.T) {
	again, err := readNetwork(leaves.text("a line\nanother\n"))
	if err != nil || again.netWeights != leaves.netWeights || again.packed != leaves.packed {
		t.Fatalf("read again it is another: %v", err)
	}
	good := leaves.text("")
	for name, text := range map[string]string{
		"cut":        good[:len(good)/2],
		"no base64":  "!" + good,
		"empty":      "",
		"other size": strings.TrimSuffix(good, "\n") + good,
	} {
		if _, err := readNetwork(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What is added four at a time is what the weights say.
func TestNetworkPacking(t *testing.T) {
	for seed := range uint64(20) {
		b := luzhanqi.Deploy(sheltered(newRand(seed)), sheltered(newRand(seed+100)))
		x := sampleOf(&b, game.First, game.Second)
		want := leaves.Offset
		for i, term := range x.terms {
			want += leaves.Terms[i] * term
		}
		for i := range netHidden {
			sum := int(leaves.Bias[i])
			for _, row := range x.rows[:x.n] {
				sum += int(leaves.Hidden[row][i])
			}
			want += leaves.Out[i] * float32(min(max(sum, 0), netCap*netScale)) / netScale
		}
		d := &dealer{worth: values{weights, weights}, truth: &b}
		s := newState(&b, game.First, false, d.numbering())
		if got := leaves.judge(&s, game.Second, &x.terms); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("seed %d: %v, must be %v", seed, got, want)
		}
	}
}

// A position is worth the same from either end of the board, and more pieces are worth more.
func TestNetworkJudgement(t *testing.T) {
	up, down := 0, 0
	for seed := range uint64(50) {
		r := newRand(seed)
		b := luzhanqi.Deploy(sheltered(r), sheltered(r))
		judge := func(b luzhanqi.Board, side game.Side) float64 {
			d := &dealer{worth: values{weights, weights}, truth: &b}
			w := &world{worth: d.worth}
			w.start = newState(&b, side, false, d.numbering())
			w.start.value(&w.worth)
			w.guard()
			return float64(w.evaluation(&w.start, side, leaves))
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
	s := setUps.setUps[0]
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
	d := &dealer{view: v, belief: hiddeninfo.New(v), style: strong, random: newRand(1)}
	worlds, _ := d.deal(1)
	for name, n := range map[string]*network{"handmade": nil, "learned": leaves} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				worlds[0].evaluation(&worlds[0].start, game.First, n)
			}
		})
	}
}
