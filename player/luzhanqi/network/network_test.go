package network

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// The text form loses nothing, and a damaged one is refused.
func TestNetworkText(t *testing.T) {
	again, err := Read(Default().Text("a line\nanother\n"))
	if err != nil || again.Weights != Default().Weights || again.packed != Default().packed {
		t.Fatalf("read again it is another: %v", err)
	}
	good := Default().Text("")
	for name, text := range map[string]string{
		"cut":        good[:len(good)/2],
		"no base64":  "!" + good,
		"empty":      "",
		"other size": strings.TrimSuffix(good, "\n") + good,
	} {
		if _, err := Read(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What is added four at a time is what the weights say.
func TestNetworkPacking(t *testing.T) {
	n := Default()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := luzhanqi.Deploy(luzhanqi.RandomSetUp(r), luzhanqi.RandomSetUp(r))
		of := [2]luzhanqi.Squares{b.Of(game.First), b.Of(game.Second)}
		var ranks [64]luzhanqi.Rank
		for sq := range b.Occupied().All() {
			_, ranks[sq], _ = b.At(sq)
		}
		want := n.Offset
		var terms [Terms]float32
		for i := range terms {
			terms[i] = r.Float32()
			want += n.Terms[i] * terms[i]
		}
		for i := range Hidden {
			sum := int(n.Bias[i])
			EachInput(&of, &ranks, game.Second, func(row int) { sum += int(n.Hidden[row][i]) })
			want += n.Out[i] * float32(min(max(sum, 0), Cap*Scale)) / Scale
		}
		sums := n.Sum(&of, &ranks, game.Second)
		if got := n.Judge(&sums, &terms); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("seed %d: %v, must be %v", seed, got, want)
		}
	}
}

// Sums that follow pieces as they move, fall and stand where another stood are those of the position that comes of it.
func TestSumsFollow(t *testing.T) {
	n := Default()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		p := luzhanqi.NewPosition(luzhanqi.RandomSetUp(r), luzhanqi.RandomSetUp(r), false)
		pieces := func() (of [2]luzhanqi.Squares, ranks [64]luzhanqi.Rank) {
			b := p.Board()
			for sq := range b.Occupied().All() {
				_, ranks[sq], _ = b.At(sq)
			}
			return [2]luzhanqi.Squares{b.Of(game.First), b.Of(game.Second)}, ranks
		}
		of, ranks := pieces()
		side := game.Side(seed & 1)
		begin := n.Sum(&of, &ranks, side)
		var touched luzhanqi.Squares
		for !p.Over() && p.Ply() < 200 {
			moves := p.Moves(nil)
			m := moves[r.IntN(len(moves))]
			touched |= luzhanqi.Bit(m.From) | luzhanqi.Bit(m.To)
			p = p.Play(m).(*luzhanqi.Position)
			nowOf, nowRanks := pieces()
			got := begin
			n.Moved(&got, touched, &of, &nowOf, &ranks, &nowRanks)
			if want := n.Sum(&nowOf, &nowRanks, side); got != want {
				t.Fatalf("seed %d, ply %d: %+v, must be %+v", seed, p.Ply(), got, want)
			}
		}
	}
}
