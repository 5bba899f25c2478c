package chess1d

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
)

// Every problem is listed, with its square.
func TestParseSetUpRefuses(t *testing.T) {
	for text, want := range map[string][]string{
		"":            {`"" has 0 characters, must have 6 (blanks are squares)`, "no f or c, must be 1", "no h or s, must be 1", "no a or t, must be 1", "no k or q, must be 1"},
		"kahf":        {`"kahf" has 4 characters, must have 6 (blanks are squares)`},
		"kahf   ":     {`"kahf   " has 7 characters, must have 6 (blanks are squares)`},
		"kahff ":      {"2 of f or c (ff), must be 1"},
		"kahfc ":      {"2 of f or c (fc), must be 1"},
		"kqatf ":      {"no h or s, must be 1", "2 of a or t (at), must be 1", "2 of k or q (kq), must be 1"},
		"KAhf  ":      {"square 0 holds K: own pieces are small letters", "square 1 holds A: own pieces are small letters", "no a or t, must be 1", "no k or q, must be 1"},
		"k.hfa\n":     {"square 1 holds '.': allowed are fchsatkq and blank", `square 5 holds '\n': allowed are fchsatkq and blank`},
		"kahf\u00e9":  {`"kahfé" has 5 characters, must have 6 (blanks are squares)`, `square 4 holds 'é': allowed are fchsatkq and blank`},
		"kahf \u00e9": {`square 5 holds 'é': allowed are fchsatkq and blank`},
		"kahf \xff":   {`square 5 holds '�': allowed are fchsatkq and blank`},
		"kahf \u016b": {`square 5 holds 'ū': allowed are fchsatkq and blank`}, // its lowest byte is a k
	} {
		s, err := ParseSetUp(text)
		var illegal *IllegalSetUp
		if !errors.As(err, &illegal) {
			t.Errorf("%q: error %v, want an *IllegalSetUp", text, err)
			continue
		}
		if diff := cmp.Diff(want, illegal.Problems); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if s != (SetUp{}) || s.String() != "" {
			t.Errorf("%q: a set-up in spite of an error", text)
		}
		if err := (Game{}).CheckSetUp(game.SetUp(text)); err == nil {
			t.Errorf("%q: CheckSetUp says nothing", text)
		}
	}
}

// There are 5,760 set-ups, all legal, all different; drawing one gives each the same chance.
func TestSetUps(t *testing.T) {
	seen := map[SetUp]int{}
	for n, s := range SetUps() {
		if before, ok := seen[s]; ok {
			t.Fatalf("set-ups %d and %d are both %q", before, n, s)
		}
		seen[s] = n
		if got, err := ParseSetUp(s.String()); err != nil || got != s {
			t.Fatalf("set-up %d, %q: %v", n, s, err)
		}
	}
	if len(seen) != 5760 {
		t.Fatalf("%d set-ups, want 5760", len(seen))
	}
	r := rand.New(rand.NewPCG(3, 3))
	counts := make([]int, len(seen))
	const draws = 100
	for range draws * len(seen) {
		counts[seen[RandomSetUp(r)]]++
	}
	chi2 := 0.0
	for _, n := range counts {
		chi2 += float64((n-draws)*(n-draws)) / draws
	}
	// 5,759 degrees of freedom: mean 5,759, standard deviation 107.
	if chi2 < 5759-6*107 || chi2 > 5759+6*107 {
		t.Errorf("χ² is %.0f, want about 5759", chi2)
	}
}

func TestDeployTurnsTheSecond(t *testing.T) {
	first, _ := ParseSetUp("kahf  ")
	second, _ := ParseSetUp("  tscq")
	if got, want := Deploy(first, second).String(), "kahf     QCST  "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// People may write blanks as dots or underscores; programs may not.
func TestParseSetUpOfAPerson(t *testing.T) {
	for _, text := range []string{"kahf  ", "kahf..", "kahf__", "kahf._"} {
		if s, err := (Game{}).ParseSetUp(text); err != nil || s != "kahf  " {
			t.Errorf("%q: %q, %v", text, s, err)
		}
	}
	if err := (Game{}).CheckSetUp("kahf.."); err == nil {
		t.Error("dots pass for blanks")
	}
}

func TestNewNamesTheSide(t *testing.T) {
	_, err := Game{}.New(game.Rules{}, [2]game.SetUp{"kahf  ", "kahf"})
	if err == nil || !strings.HasPrefix(err.Error(), "player 2: illegal set-up: ") {
		t.Errorf("error %v, want one about player 2", err)
	}
}

func FuzzParseSetUp(f *testing.F) {
	f.Add("kahf  ")
	f.Add("  qtsc")
	f.Add("k\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSetUp(text)
		if err == nil && s.String() != text {
			t.Errorf("%q is read as %q", text, s)
		}
	})
}
