package policy

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

func random(seed uint64) *Weights {
	w, r := &Weights{}, rand.New(rand.NewPCG(seed, 1))
	for i := range w {
		if r.IntN(3) > 0 {
			w[i] = float32(math.Round(r.NormFloat64()*1000) / 1000)
		}
	}
	return w
}

// What is written is read, zeros and what stands at the ends included.
func TestText(t *testing.T) {
	last := &Weights{}
	last[Inputs-1] = -1.5
	for _, w := range []*Weights{random(1), {}, last} {
		text := w.Text("made by\nsomebody\n")
		again, err := Read(text)
		if err != nil || *again != *w {
			t.Errorf("%v\n%.200s", err, text)
		}
		if !strings.HasPrefix(text, "# made by\n# somebody\n") {
			t.Errorf("%.100s", text)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "0 weights: must be",
		"# x1\n1.5 x2":              "3 weights: must be",
		"1 2\nx":                    `line 2: "x": must be x and how many zeros`,
		"x0":                        `line 1: "x0"`,
		"x99999999":                 `line 1: "x99999999"`,
		"1 NaN":                     `line 1: weight "NaN": must be a number from -30 to 30`,
		"31":                        `line 1: weight "31"`,
		"0x":                        `line 1: weight "0x"`,
		(&Weights{}).Text("") + "1": "more than",
	} {
		if _, err := Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v: must tell %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("x100 1 2 3\n# four\n")
	f.Add((&Weights{}).Text("made"))
	f.Fuzz(func(t *testing.T, text string) {
		w, err := Read(text)
		if err != nil {
			return
		}
		if _, err := Read(w.Text("")); err != nil {
			t.Error(err)
		}
	})
}

// The flag's side is the left one for both players, whichever it is: so what is learned of one set-up holds for its mirror image.
func TestOriented(t *testing.T) {
	for hq := range luzhanqi.Headquarters.All() {
		side := game.First
		if hq >= tables.SquareCount/2 {
			side = game.Second
		}
		if n := Oriented(hq, side, Mirrored(hq, side)); n != 1 {
			t.Errorf("the headquarters on %d of side %d is square %d: must be 1", hq, side, n)
		}
	}
	for side := range game.Side(2) {
		for mirrored := range 2 {
			seen := map[int]bool{}
			for sq := range game.Square(tables.SquareCount) {
				seen[Oriented(sq, side, mirrored)] = true
			}
			if len(seen) != tables.SquareCount || seen[-1] || seen[tables.SquareCount] {
				t.Errorf("side %d, mirrored %d: %d squares", side, mirrored, len(seen))
			}
		}
	}
}

// Tables hold the largest weights that a file can have.
func TestLargest(t *testing.T) {
	w := &Weights{}
	for i := range w {
		w[i] = most
	}
	p := New(w)
	if want := int16(2 * most * Unit); p.To[0][0][0][1][luzhanqi.Engineer][0] != want {
		t.Errorf("%d: must be %d", p.To[0][0][0][1][luzhanqi.Engineer][0], want)
	}
	odds := [tables.RankCodes]float64{luzhanqi.Bomb: 1}
	if got := p.Fight(luzhanqi.Colonel, &odds, 900, 1); got != largest*Unit {
		t.Errorf("a fight counts %d: must be %d", got, largest*Unit)
	}
}

// The highest of logits with noise is drawn by their softmax, wherever the noises begin, and no noise comes twice in a draw.
func TestNoises(t *testing.T) {
	const draws = 400_000
	logits := []int32{0, Unit, 2 * Unit, -3 * Unit, Unit, 0, 0}
	drawn, total := make([]float64, len(logits)), 0.0
	for _, l := range logits {
		total += math.Exp(float64(l) / Unit)
	}
	r := rand.New(rand.NewPCG(1, 3))
	for range draws {
		n, highest, chosen := NewNoises(r.Uint64()), int32(math.MinInt32), 0
		for i, l := range logits {
			if x := l + n.Next(); x > highest {
				highest, chosen = x, i
			}
		}
		drawn[chosen]++
	}
	for i, l := range logits {
		want := math.Exp(float64(l)/Unit) / total
		// Five standard errors, and what rounding may do.
		if off := math.Abs(drawn[i]/draws - want); off > 5*math.Sqrt(want*(1-want)/draws)+0.005*want {
			t.Errorf("logit %d is drawn in %.4f of all, must be %.4f", i, drawn[i]/draws, want)
		}
	}
	for _, random := range []uint64{0, 1 << 33, r.Uint64()} {
		n := NewNoises(random)
		seen := map[uint32]bool{}
		for range len(noise) {
			n.Next()
			seen[n.at%uint32(len(noise))] = true
		}
		if len(seen) != len(noise) {
			t.Errorf("%x: %d of %d noises come", random, len(seen), len(noise))
		}
	}
}
