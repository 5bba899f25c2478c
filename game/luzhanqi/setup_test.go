package luzhanqi

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"luzhanqi/game"
)

const legalSetUp = "A1:3 A2:7 A3:5 A4:6 A5:2 A6:5 B1:2 B2:L B4:3 B6:4 C1:3 C2:B C3:4 C5:7 C6:1 " +
	"D1:F D2:L D4:1 D6:8 E1:L E2:2 E3:9 E4:B E5:1 E6:6"

// Every problem is listed, with its square; what is right is not mentioned.
func TestParseSetUpRefuses(t *testing.T) {
	for _, c := range []struct {
		name, replace, by string
		want              []string
	}{
		{"one empty square", " A6:5", "", []string{"A6 is empty", "1 colonel, must be 2"}},
		{"wrong counts", "A6:5", "A6:3", []string{"1 colonel, must be 2", "4 captains, must be 3"}},
		{"a fourth landmine", "A1:3", "A1:L", []string{"2 captains, must be 3", "4 landmines, must be 3"}},
		{"a square twice", "A6:5", "A6:5 A6:5", []string{"A6 is filled twice"}},
		{"a camp", "A6:5", "B3:5", []string{"B3 is a camp, which must be empty", "A6 is empty"}},
		{"beyond row 6", "A6:5", "A7:5", []string{"A7 is outside rows 1 to 6", "A6 is empty", "1 colonel, must be 2"}},
		{"no square", "A6:5", "F6:5", []string{`square "F6": allowed are A1 to E12`, "A6 is empty", "1 colonel, must be 2"}},
		{
			"flag outside", "C1:3 C2:B C3:4 C5:7 C6:1 D1:F", "C1:F C2:B C3:4 C5:7 C6:1 D1:3",
			[]string{"C1 holds the flag, which must stand in a headquarters, B1 or D1"},
		},
		{"two flags", "B1:2", "B1:F", []string{"2 lieutenants, must be 3", "2 flags, must be 1"}},
		{"no flag", "D1:F", "D1:2", []string{"4 lieutenants, must be 3", "0 flags, must be 1"}},
		{"landmine too far ahead", "D2:L D4:1", "D2:1 D4:L", []string{"D4 holds a landmine, which must lie in row 1 or 2"}},
		{"bomb in front", "E4:B E5:1 E6:6", "E4:6 E5:1 E6:B", []string{"E6 holds a bomb, which must not stand in row 6"}},
		{"unknown piece", "A6:5", "A6:X", []string{`A6: piece "X": allowed are 1 to 9, B, L and F`, "1 colonel, must be 2"}},
		{"long piece", "A6:5", "A6:51", []string{`A6: piece "51": allowed are 1 to 9, B, L and F`, "1 colonel, must be 2"}},
		{"no piece", "A6:5", "A6:", []string{`A6: piece "": allowed are 1 to 9, B, L and F`, "1 colonel, must be 2"}},
		{"no colon", "A6:5", "A6=5", []string{`"A6=5" is not a square, a colon and a piece, such as A1:3`, "A6 is empty", "1 colonel, must be 2"}},
		{"unknown piece in a camp", "A6:5", "A6:5 C4:?", []string{`C4: piece "?": allowed are 1 to 9, B, L and F`, "C4 is a camp, which must be empty"}},
	} {
		if !strings.Contains(legalSetUp, c.replace) {
			t.Fatalf("%s: %q is not in the set-up", c.name, c.replace)
		}
		s, err := ParseSetUp(strings.Replace(legalSetUp, c.replace, c.by, 1))
		var illegal *IllegalSetUp
		if !errors.As(err, &illegal) {
			t.Errorf("%s: error %v, want an *IllegalSetUp", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, illegal.Problems); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if s != (SetUp{}) {
			t.Errorf("%s: a set-up in spite of an error", c.name)
		}
	}
	_, err := ParseSetUp("")
	var illegal *IllegalSetUp
	if !errors.As(err, &illegal) || strings.Count(strings.Join(illegal.Problems, "; "), "is empty") != ArmySize {
		t.Errorf("no pieces: error %v, want every square named", err)
	} else if !strings.HasSuffix(err.Error(), "and 29 more problems") {
		t.Errorf("no pieces: %q does not count what it leaves out", err)
	}
}

func TestParseSetUpTakesAnyOrder(t *testing.T) {
	fields := strings.Fields(legalSetUp)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	if s := mustSetUp(t, " "+strings.Join(fields, "\n\t")+" "); s.String() != legalSetUp {
		t.Errorf("got  %s\nwant %s", s, legalSetUp)
	}
}

func TestNewSetUpRefusesUnknownRanks(t *testing.T) {
	var ranks [ownSquares]Rank
	s := mustSetUp(t, legalSetUp)
	for n := range ranks {
		ranks[n] = s.At(game.Square(n))
	}
	if again, err := NewSetUp(ranks); err != nil || again != s {
		t.Errorf("got %s, %v, want %s", again, err, s)
	}
	for _, wrong := range []Rank{11, 14, 15, 16, 255} {
		ranks[0] = wrong
		_, err := NewSetUp(ranks)
		if err == nil || !strings.Contains(err.Error(), "A1 holds an unknown piece; 2 captains, must be 3") {
			t.Errorf("rank %d: error %v", wrong, err)
		}
	}
}

func TestDeployTurnsTheSecond(t *testing.T) {
	s := mustSetUp(t, legalSetUp)
	b := Deploy(s, s)
	if turned := b.Turn(); turned != b {
		t.Errorf("%s is not the same when turned", b.String())
	}
	side, rank, _ := b.At(mustSquare(t, "C10"))
	if side != game.Second || rank != Major {
		t.Errorf("C10 holds %v's %v, want 2's major, whose own C3 it is", side, rank)
	}
	if n := b.Occupied().Len(); n != 2*ArmySize {
		t.Errorf("%d pieces, want %d", n, 2*ArmySize)
	}
}

func TestRandomSetUpIsLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := RandomSetUp(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)))
		back, err := ParseSetUp(s.String())
		if err != nil {
			t.Fatal(err)
		}
		if back != s {
			t.Fatalf("%s is read as %s", s, back)
		}
	})
}

// If all set-ups are equally likely, the flag is in B1 half the time, each other square of rows 1
// and 2 has a landmine in 3 of 9 cases, and each square of rows 3 to 5 a bomb in 2 of 16.
func TestRandomSetUpIsUniform(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const draws = 20000
	var seen [ownSquares][rankCodes]float64
	for range draws {
		s := RandomSetUp(r)
		for n, rank := range s.ranks {
			seen[n][rank] += 1. / draws
		}
	}
	for _, c := range []struct {
		square string
		rank   Rank
		want   float64
	}{
		{"B1", Flag, 1. / 2},
		{"D1", Flag, 1. / 2},
		{"A1", Landmine, 3. / 9},
		{"C2", Landmine, 3. / 9},
		{"B1", Landmine, 1. / 2 * 3 / 9},
		{"C3", Bomb, 2. / 16},
		{"E5", Bomb, 2. / 16},
		{"A1", Bomb, 6. / 9 * 2 / 16},
		{"D1", Bomb, 1. / 2 * 6 / 9 * 2 / 16},
		{"A6", Engineer, 3. / 19},
		{"C6", FieldMarshal, 1. / 19},
		{"C3", FieldMarshal, 14. / 16 / 19},
	} {
		got := seen[mustSquare(t, c.square)][c.rank]
		if deviation := math.Sqrt(c.want * (1 - c.want) / draws); math.Abs(got-c.want) > 5*deviation {
			t.Errorf("%v on %s: %.4f of all, want %.4f", c.rank, c.square, got, c.want)
		}
	}
}

func FuzzParseSetUp(f *testing.F) {
	f.Add(legalSetUp)
	f.Add("A1:3 A1:3 B3:9 A7:1 Z9:? A2 A2:\x00")
	r := rand.New(rand.NewPCG(9, 9))
	for range 5 {
		f.Add(RandomSetUp(r).String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSetUp(text)
		if err != nil {
			var illegal *IllegalSetUp
			if !errors.As(err, &illegal) || len(illegal.Problems) == 0 {
				t.Errorf("%q: error %v, want an *IllegalSetUp with problems", text, err)
			}
			return
		}
		if back, err := ParseSetUp(s.String()); err != nil || back != s {
			t.Errorf("%q is written as %q, which is read as %q, %v", text, s, back, err)
		}
	})
}
