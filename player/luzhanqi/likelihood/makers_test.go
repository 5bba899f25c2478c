package likelihood

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// TestMinesStandAtTheFlag guards what makers are for: in worlds drawn before the first move the landmines stand at the
// headquarters that has the flag, as often as armies of guards are met, and never at the other more often than
// chance has it; left and right are alike.
func TestMinesStandAtTheFlag(t *testing.T) {
	guards, all := 0.0, 0.0
	for _, w := range DefaultMakers().ways {
		all += w.Share
		if w.Home == Guarded {
			guards += w.Share
		}
	}
	guards /= all
	b := hiddeninfo.New(luzhanqi.NewView(game.First, luzhanqi.SetUp{}, false))
	b.SetMixture(DefaultMakers().Mixture(0.5))
	r := rand.New(rand.NewPCG(1, 1))
	const draws = 4000
	at, left := 0, 0
	for range draws {
		var w hiddeninfo.World
		b.Sample(r, &w)
		if home, mirror := HomeOf(setUpOf(t, &w)); home == Guarded {
			at++
		} else if !mirror {
			left++
		}
	}
	if got := float64(at) / draws; got < guards-0.03 || got > guards+0.05 {
		t.Errorf("%.3f of the worlds have three landmines at the flag, %.3f of the armies are guarded", got, guards)
	}
	if got := float64(left) / float64(draws-at); math.Abs(got-0.5) > 0.06 {
		t.Errorf("%.3f of the flags that are not guarded are on B1", got)
	}
	m := b.Marginals()
	for p, q := range mirrors {
		for rank := range m[p] {
			if math.Abs(m[p][rank]-m[q][rank]) > 1e-9 {
				t.Fatalf("%v on %s has %v, on its mirror image %v", luzhanqi.Rank(rank), luzhanqi.SquareName(hiddeninfo.Homes[p]), m[p][rank], m[q][rank])
			}
		}
	}
}

func setUpOf(t *testing.T, w *hiddeninfo.World) luzhanqi.SetUp {
	t.Helper()
	var ranks [30]luzhanqi.Rank
	for p, home := range hiddeninfo.Homes {
		ranks[home] = w[p]
	}
	s, err := luzhanqi.NewSetUp(ranks)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStrangersHabits guards that a stranger's army is told by our habits no more than is trusted, that the belief says so
// of pieces that do what nobody of ours does, and that opinions can still be asked for one by one.
func TestStrangersHabits(t *testing.T) {
	positions, _ := GreedyGame(t, 4, 80)
	v := viewOf(positions[len(positions)-1], game.Second)
	w := Watch(v, Default(), Trust{Prior: 0.5, Makers: true, Likelihoods: 0.7})
	both := w.Marginals(Opinions[len(Opinions)-1])
	constraints := w.Marginals(Opinion{})
	if *constraints != *hiddeninfo.New(v).Marginals() {
		t.Error("the opinion that takes nothing learned into account does")
	}
	if *w.Marginals(Opinions[len(Opinions)-1]) != *both {
		t.Error("to ask for another opinion has changed this one")
	}
	guess := w.Marginals(Opinion{prior: true})
	if *guess == *both || *guess == *constraints {
		t.Error("the makers alone say what they say with habits, or nothing")
	}
	for _, strangers := range []*hiddeninfo.Weights{nil, power(w.likelihoods, 0.5)} {
		for i, s := range DefaultMakers().styles(w.likelihoods, strangers) {
			name, want := DefaultMakers().Names[i], w.likelihoods
			if name == "anybody" || name == "guard" || strings.HasPrefix(name, "tuned") {
				want = strangers
			}
			if s.Likelihoods != want {
				t.Errorf("maker %s has the likelihoods of others", name)
			}
		}
	}
	same := Watch(v, Default(), Trust{Prior: 0.5, Makers: true, Likelihoods: 0.7, Strangers: 0.7})
	for p, of := range same.strangers {
		for rank, weight := range of {
			if math.Abs(weight-same.likelihoods[p][rank]) > 1e-9 {
				t.Fatalf("piece %d, %d: strangers %v, others %v: must be the same", p, rank, weight, same.likelihoods[p][rank])
			}
		}
	}
	if *same.Marginals(Opinions[len(Opinions)-1]) == *both {
		t.Error("what strangers do says nothing")
	}
}

// TestMakersText guards that what is written is read, and that what cannot be a prior is refused with its line.
func TestMakersText(t *testing.T) {
	text, err := MakersText("# who\n", DefaultMakers().ways)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ReadMakers(text)
	if err != nil || len(m.ways) != len(DefaultMakers().ways) || m.ways[len(m.ways)-1] != DefaultMakers().ways[len(m.ways)-1] {
		t.Fatalf("%d makers, %v", len(m.ways), err)
	}
	row := strings.Repeat("0 ", len(luzhanqi.Ranks)) + "\n"
	for _, test := range []struct{ text, want string }{
		{"", "one must not"},
		{"maker x guarded 1\n", "one must not"},
		{"maker x castle 1\n", `home "castle": must be one of open, placed, guarded`},
		{"maker x open\n", "2 words after maker"},
		{"maker x open 1 friend\n", "4 words after maker: must be its name, home and share, and may be stranger"},
		{"maker x open 2\n", `share "2"`},
		{"maker x open 1\n1 2\n", "row 1 of 2 numbers"},
		{row, "line 1: row 26"},
		{"maker x open 1\n" + row, "1 rows of weights at the end"},
		{"maker x open 1\n" + row + "maker y open 1\n", "line 3: 1 rows of weights before it"},
		{"maker x open 1\n" + strings.Repeat("9999 ", len(luzhanqi.Ranks)), `"9999": must be a whole number`},
	} {
		if _, err := ReadMakers(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, must say %q", test.text, err, test.want)
		}
	}
}
