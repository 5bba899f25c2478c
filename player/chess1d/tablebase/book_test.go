package tablebase

import (
	"bytes"
	"cmp"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// The committed openings are verified without the tables that they come from: against set-ups drawn at
// random, the committed mix must not earn less than the value. The search that says so shares nothing
// with the tables but the rules of the game. It gives up after some positions; then the pair says nothing.
func TestOpeningsHoldAgainstSamples(t *testing.T) {
	samples := 8
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		samples = 25
	}
	for _, draws := range []bool{false, true} {
		o, err := FindOpening(draws, Either)
		if err != nil {
			t.Fatal(err)
		}
		if o.Value.Sign() != 0 {
			t.Errorf("the value for either order is %v; the game is the same for both", o.Value)
		}
		r := rand.New(rand.NewPCG(5, 5))
		judged := 0
		for range samples {
			other := r.IntN(chess1d.SetUpCount)
			sum, known := new(big.Rat), true
			for _, c := range o.Rows {
				for order := range game.Side(2) {
					v, ok := valueBySearch(c.SetUp, other, order, draws)
					known = known && ok
					sum.Add(sum, new(big.Rat).Mul(c.Weight, big.NewRat(int64(v), 2)))
				}
			}
			if !known {
				continue
			}
			judged++
			if sum.Cmp(o.Value) < 0 {
				t.Errorf("draws %v: %q earns more than %v against the committed mix", draws, setUps()[other], o.Value)
			}
		}
		if judged < samples*3/5 {
			t.Errorf("draws %v: only %d set-ups of %d were judged", draws, judged, samples)
		}
	}
}

// valueBySearch returns what own set-up is worth against another when own begins, or the other does.
func valueBySearch(own, other int, beginner game.Side, draws bool) (Value, bool) {
	b := chess1d.Deploy(setUps()[own], setUps()[other])
	r, err := new(Solver).Solve(b, beginner, draws, Budget{Nodes: 1_000_000})
	switch {
	case err != nil && draws:
		return Draw, true
	case err != nil: // the beginner cannot move
		r = Result{Value: Loss, Exact: true}
	}
	if beginner == game.Second {
		r.Value = -r.Value
	}
	return r.Value, r.Exact
}

// Weights add up to one, and what is written is read again.
func TestOpenings(t *testing.T) {
	all, err := openings()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 4 {
		t.Errorf("%d openings, want one for each reading and order", len(all))
	}
	for _, o := range all {
		for name, m := range map[string]Mix{"row": o.Rows, "column": o.Columns} {
			sum := new(big.Rat)
			for _, c := range m {
				sum.Add(sum, c.Weight)
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 || !slices.IsSortedFunc(m, func(a, b Choice) int { return cmp.Compare(a.SetUp, b.SetUp) }) {
				t.Errorf("%v %s: the %s mix adds up to %v", o.NoMovesDraws, o.Order, name, sum)
			}
			r := rand.New(rand.NewPCG(1, 1))
			counts := map[chess1d.SetUp]int{}
			for range 5000 {
				counts[m.Draw(r)]++
			}
			for _, c := range m {
				w, _ := c.Weight.Float64()
				if n := counts[setUps()[c.SetUp]]; float64(n) < 5000*w-300 || float64(n) > 5000*w+300 {
					t.Errorf("%q was drawn %d times of 5000, its weight is %.3f", setUps()[c.SetUp], n, w)
				}
			}
		}
	}
	var text bytes.Buffer
	if err := WriteOpenings(&text, all); err != nil || text.String() != openingsText {
		t.Errorf("%v: written again, the openings are\n%s", err, &text)
	}
}

func TestReadOpeningsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"loss either":                                 "allowed are lines such as",
		"win either value 0":                          "allowed are lines such as",
		"loss either value x":                         "no number",
		"loss either row q.a.hf 1":                    "before any value",
		"loss either value 0\nloss either row q 1":    "has 1 characters",
		"loss either value 0\nloss either r q.a.hf 1": "allowed are value, row and column",
	} {
		if _, err := ReadOpenings(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// A sample of the book is checked against a table: its moves keep the value that it claims.
func TestBookMovesKeepTheValue(t *testing.T) {
	all, err := bookMoves()
	if err != nil {
		t.Fatal(err)
	}
	chaq, _ := parseArmy("chaq")
	m, table, _ := against(t, chaq)
	checked := 0
	for b, k := range all {
		m2, at, err := place(b)
		if err != nil {
			t.Fatal(err)
		}
		if m2 != m {
			continue
		}
		checked++
		after := b
		after.Play(k.Move)
		_, next, _ := place(after)
		if got := table.value(pack(at), game.First); got != k.Value || -table.value(pack(next), game.Second) != got {
			t.Errorf("%q %s: the table says %v and then %v, the book %v", b, chess1d.MoveName(k.Move), got, table.value(pack(next), game.Second), k.Value)
		}
		if got, ok := BookMove(b.Turn(), game.Second); !ok || got.Move != chess1d.TurnMove(k.Move) {
			t.Errorf("%q turned: %v", b, got)
		}
	}
	t.Logf("%d of %d", checked, len(all))
	if checked == 0 {
		t.Error("nothing was checked")
	}
}

func parseArmy(letters string) (army, bool) {
	for a := range army(armies) {
		if a.String() == letters {
			return a, true
		}
	}
	return 0, false
}
