package network

import (
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// The text form loses nothing, and a damaged one is refused.
func TestText(t *testing.T) {
	again, err := Read(Default().Text("a line\nanother\n"))
	if err != nil || *again != *Default() {
		t.Fatalf("read again it is another: %v", err)
	}
	good, wild := Default().Text(""), *Default()
	wild.Bias[5] = MaxBias + 1
	for name, text := range map[string]string{
		"cut":          good[:len(good)/2],
		"no base64":    "!" + good,
		"empty":        "",
		"other size":   strings.TrimSuffix(good, "\n") + good,
		"a wild bias":  wild.Text(""),
		"another kind": frozenText,
	} {
		if _, err := Read(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The row of a piece is that of no other one.
func TestRows(t *testing.T) {
	seen := map[uint16]bool{}
	for _, own := range []bool{false, true} {
		for _, rank := range luzhanqi.Ranks {
			for what := range Seen {
				for sq := range game.Square(tables.SquareCount) {
					row := Row(own, rank, what, sq)
					if seen[row] || int(row) >= Inputs {
						t.Fatalf("row %d for two, or beyond %d", row, Inputs)
					}
					seen[row] = true
				}
			}
		}
	}
}

// wild is a network whose weights are any that are allowed, the greatest among them.
func wild(r *rand.Rand) *Network {
	n := &Network{}
	for row := range n.Hidden {
		for i := range n.Hidden[row] {
			n.Hidden[row][i] = int8(r.IntN(256) - 128)
			if r.IntN(8) == 0 {
				n.Hidden[row][i] = []int8{-128, 127}[r.IntN(2)]
			}
		}
	}
	for i := range n.Out {
		n.Bias[i] = int16(r.IntN(2*MaxBias+1) - MaxBias)
		n.Out[i] = int16(r.IntN(1<<16) - 1<<15)
	}
	return n
}

func draw(r *rand.Rand, most int) []uint16 {
	rows := make([]uint16, r.IntN(most+1))
	for i := range rows {
		rows[i] = uint16([]int{0, Inputs - 1, r.IntN(Inputs)}[r.IntN(3)])
	}
	return rows
}

// What a processor adds up sixteen at a time is what is added up one at a time, and what whole numbers without bounds would be.
func TestAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	n := wild(r)
	for range 2000 {
		come, gone := draw(r, 50), draw(r, 50)
		got, want := n.Bias, n.Bias
		add((*Sums)(&got), &n.Hidden, come, gone)
		addScalar((*Sums)(&want), &n.Hidden, come, gone)
		if got != want {
			t.Fatalf("%v come, %v go: %v, must be %v", come, gone, got, want)
		}
		if got, want := dot((*Sums)(&got), &n.Out), dotScalar((*Sums)(&want), &n.Out); got != want {
			t.Fatalf("%d, must be %d", got, want)
		}
		exact := 0
		for i, x := range want {
			sum := int(n.Bias[i])
			for _, row := range come {
				sum += int(n.Hidden[row][i])
			}
			for _, row := range gone {
				sum -= int(n.Hidden[row][i])
			}
			if int(x) != sum {
				t.Fatalf("unit %d: %d, must be %d", i, x, sum)
			}
			exact += min(max(sum, 0), Cap*Scale) * int(n.Out[i])
		}
		if got := dotScalar((*Sums)(&want), &n.Out); int(got) != exact {
			t.Fatalf("%d, must be %d", got, exact)
		}
	}
}

// Judge follows the pieces: what has come and is gone counts as if it had been there from the start.
func TestJudgeFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	n := Default()
	for range 200 {
		stay, gone, come := draw(r, 20), draw(r, 15), draw(r, 15)
		terms := [Terms]float32{r.Float32(), r.Float32(), r.Float32(), 1}
		before, after := n.Sum(append(stay, gone...)), n.Sum(append(stay, come...))
		if got, want := n.Judge(&before, come, gone, &terms), n.Judge(&after, nil, nil, &terms); got != want {
			t.Fatalf("%v, must be %v", got, want)
		}
	}
}

// A row that is not there is no memory to read.
func TestNoSuchRow(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row beyond the last one is no error")
		}
	}()
	Default().Sum([]uint16{uint16(Inputs)})
}

func BenchmarkJudge(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 9))
	n := Default()
	s := n.Sum(draw(r, 50))
	come, gone := make([]uint16, 8), make([]uint16, 8)
	for i := range come {
		come[i], gone[i] = uint16(r.IntN(Inputs)), uint16(r.IntN(Inputs))
	}
	for b.Loop() {
		n.Judge(&s, come, gone, &[Terms]float32{})
	}
}
