package likelihood

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// The text form loses nothing, and a damaged one is refused.
func TestRankModelText(t *testing.T) {
	again, err := ReadRankModel(Default().Text("a line\nanother\n"))
	if err != nil || !reflect.DeepEqual(again, Default()) {
		t.Fatalf("read again it is another: %v", err)
	}
	good := Default().Text("")
	for name, text := range map[string]string{
		"cut":       good[:len(good)/2],
		"no base64": "!" + good,
		"empty":     "",
		"twice":     strings.TrimSuffix(good, "\n") + good,
	} {
		if _, err := ReadRankModel(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, weights := range map[string][3][]float32{
		"no units":   {nil, nil, make([]float32, Inputs*Outputs)},
		"few inputs": {make([]float32, 3), make([]float32, Outputs), make([]float32, Inputs*Outputs)},
		"too large":  {append(make([]float32, Inputs-1), 17), make([]float32, Outputs), make([]float32, Inputs*Outputs)},
		"no number":  {append(make([]float32, Inputs-1), float32(math.NaN())), make([]float32, Outputs), make([]float32, Inputs*Outputs)},
	} {
		if _, err := NewRankModel(weights[0], weights[1], weights[2]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What the model says is what its weights say, worked out the long way; twins weigh the same, since counting relies on it, and
// nothing is impossible.
func TestRankModelSays(t *testing.T) {
	m := Default()
	positions, _ := GreedyGame(t, 4, 120)
	for _, ply := range []int{0, 1, 30, len(positions) - 1} {
		v := viewOf(positions[ply], game.First)
		b := New(v, m)
		b.Update(v)
		got := b.Likelihoods(0.5)
		for p := range hiddeninfo.Piece(hiddeninfo.Pieces) {
			inputs := map[int]float64{}
			take := func(input int, value float32) {
				if _, twice := inputs[input]; twice || input < 0 || input >= Inputs {
					t.Fatalf("ply %d, piece %d: input %d twice, or there is no such", ply, p, input)
				}
				inputs[input] = float64(value)
			}
			b.InputsOfAll(take)
			b.InputsOf(p, take)
			for column, rank := range luzhanqi.Ranks {
				c := Tied(column)
				sum := 0.0
				for input, value := range inputs {
					sum += value * float64(m.direct[input*Outputs+c])
				}
				for u := range m.units {
					h := 0.0
					for input, value := range inputs {
						h += value * float64(m.hidden[input*m.units+u])
					}
					if h < 0 {
						h *= Leak
					}
					sum += h * float64(m.out[u*Outputs+c])
				}
				want := math.Exp(0.5 * min(max(sum, -8), 8))
				if math.Abs(got[p][rank]/want-1) > 1e-3 {
					t.Errorf("ply %d, piece %d, %v: %v, must be %v", ply, p, rank, got[p][rank], want)
				}
				if twin := luzhanqi.Ranks[c]; got[p][rank] != got[p][twin] {
					t.Errorf("ply %d, piece %d: %v and %v differ", ply, p, rank, twin)
				}
			}
		}
	}
}

// What an enemy does says whom one watches: the inputs of its manner are shares of its moves.
func TestManner(t *testing.T) {
	positions, _ := GreedyGame(t, 4, 120)
	v := viewOf(positions[len(positions)-1], game.First)
	b := New(v, nil)
	b.Update(v)
	rows := float32(0)
	n := 0
	b.InputsOfAll(func(input int, value float32) {
		if n++; value < 0 || value > 3 {
			t.Errorf("input %d is %v", input, value)
		}
		if f := input - inputMoves; f >= featTo && f < featFrom {
			rows += value
		}
	})
	moves := float32(len(positions)-1) / 2 // each has one row that it goes to
	if want := moves / (moves + 3); n < 20 || math.Abs(float64(rows/want-1)) > 0.02 {
		t.Errorf("%d inputs; shares of rows add up to %v, must be %v", n, rows, want)
	}
}
