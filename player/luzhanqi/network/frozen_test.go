package network

import (
	"math"
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// What is added four at a time is what the weights say.
func TestFrozenPacking(t *testing.T) {
	n := F665184()
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
		for i := range frozenHidden {
			sum := int(n.Bias[i])
			for sq := range b.Occupied().All() {
				side, rank, _ := b.At(sq)
				sum += int(n.Hidden[inputOf(side == game.Second, rank, tables.SquareCount-1-sq)][i])
			}
			want += n.Out[i] * float32(min(max(sum, 0), frozenCap*frozenScale)) / frozenScale
		}
		sums := n.Sum(&of, &ranks, game.Second)
		if got := n.Judge(&sums, &terms); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("seed %d: %v, must be %v", seed, got, want)
		}
	}
}

// Sums that follow pieces as they move, fall and stand where another stood are those of the position that comes of it.
func TestFrozenSumsFollow(t *testing.T) {
	n := F665184()
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

// A damaged text is refused.
func TestFrozenText(t *testing.T) {
	for name, text := range map[string]string{"cut": frozenText[:len(frozenText)/2], "empty": "", "another kind": Default().Text("")} {
		if _, err := readFrozen(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
