package hiddeninfo

import (
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// ourArmy stands in every scenario of this file, as player 1.
const ourArmy = `
	A6:9 B6:5 C6:8 D6:1 E6:4
	A5:7      C5:7      E5:5
	A4:1 B4:4      D4:6 E4:6
	A3:B      C3:B      E3:1
	A2:3 B2:2 C2:2 D2:3 E2:L
	A1:L B1:F C1:L D1:2 E1:3`

// observed makes a view from lines such as "1 A6 A7 = flag1:B1 flag2:D12": the mover, its move, the
// result if there was a combat, and the flags that were shown.
func observed(t testing.TB, minesStay bool, log string) *luzhanqi.View {
	t.Helper()
	setUp, err := luzhanqi.ParseSetUp(ourArmy)
	if err != nil {
		t.Fatal(err)
	}
	square := func(name string) game.Square {
		sq, err := luzhanqi.ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		return sq
	}
	signs := map[string]luzhanqi.Result{
		">": luzhanqi.Win, "<": luzhanqi.Loss, "=": luzhanqi.Tie, "flag": luzhanqi.FlagTaken,
	}
	v := luzhanqi.NewView(game.First, setUp, minesStay)
	for line := range strings.SplitSeq(log, ",") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		o := luzhanqi.Observation{
			Mover: game.Side(words[0][0] - '1'),
			Move:  game.Move{From: square(words[1]), To: square(words[2])},
		}
		for _, word := range words[3:] {
			if at, ok := strings.CutPrefix(word, "flag1:"); ok {
				o.Flags = append(o.Flags, luzhanqi.Reveal{Owner: game.First, Square: square(at)})
			} else if at, ok := strings.CutPrefix(word, "flag2:"); ok {
				o.Flags = append(o.Flags, luzhanqi.Reveal{Owner: game.Second, Square: square(at)})
			} else if result, ok := signs[word]; ok {
				o.Result = result
			} else {
				t.Fatalf("line %q: what is %q?", line, word)
			}
		}
		v = v.Observe(o)
	}
	return v
}

// lane is our field marshal's way through column A to the enemy's rear.
const lane = "1 A6 A7 >, 1 A7 A8 >, 1 A8 A9 >, 1 A9 A10 >,"

// raid empties column E between our landmine on E2 and E11: each piece met its equal or a bomb.
const raid = "2 E7 E6 =, 2 E8 E5 =, 2 E9 E4 =, 2 E10 E3 =,"

// TestInferences guards what each kind of observation says about one piece, named by the square on
// which it was set up. Ranks that have run out are gone too: that is the count of the army.
func TestInferences(t *testing.T) {
	for _, test := range []struct {
		name, log, piece, want string
		minesStay              bool
	}{
		{name: "set-up: a headquarters holds anything", piece: "B12", want: "987654321BLF"},
		{name: "set-up: no flag outside", piece: "A12", want: "987654321BL"},
		{name: "set-up: landmines in the second row", piece: "C11", want: "987654321BL"},
		{name: "set-up: no landmine before it", piece: "C10", want: "987654321B"},
		{name: "set-up: no bomb in front", piece: "C7", want: "987654321"},

		{name: "moved: a step", log: "2 A9 B8", piece: "A9", want: "987654321B"},
		{name: "moved: away from the second row", log: "2 C10 C9, 2 C11 C10", piece: "C11", want: "987654321B"},
		{name: "railway: straight on is for all", log: "1 E6 E7 =, 2 E8 E6", piece: "E8", want: "987654321B"},
		{name: "railway: a corner is for engineers", log: "1 C6 C7 =, 2 D7 C6", piece: "D7", want: "1"},
		{name: "railway: a corner with combat", log: "1 C6 C7 =, 1 B6 C6, 2 B7 C6 <", piece: "B7", want: "1"},

		{name: "our attack won: lower", log: "1 E6 E7 >", piece: "E7", want: "321"},
		{name: "our attack won with an engineer: a landmine", log: raid + "1 D6 E6, 1 E6 E11 >", piece: "E11", want: "L"},
		{name: "our attack lost: higher", log: "1 E6 E7 <", piece: "E7", want: "98765"},
		{name: "our attack lost: the field marshal", log: "1 C6 C7 <", piece: "C7", want: "9"},
		{name: "our attack tied: equal", log: "1 E6 E7 =", piece: "E7", want: "4"},
		{name: "our attack tied: equal or a bomb", log: "1 A6 A7 = flag1:B1 flag2:B12, 1 B6 A6, 1 A6 A8 =", piece: "A8", want: "5B"},
		{name: "our attack tied: a landmine", log: lane + "1 A10 A11 = flag1:B1", piece: "A11", want: "BL"},
		{name: "our field marshal tied: the other one", log: "1 A6 A7 = flag1:B1 flag2:B12", piece: "A7", want: "9"},
		{name: "our bomb: all but its equal in silence", log: "1 C6 C7 =, 1 C5 B5, 1 C3 C4, 1 C4 C5, 1 C5 C6, 1 C6 C7, 1 C7 D7 =", piece: "D7", want: "7654321"},
		{name: "our bomb: the field marshal", log: "1 C6 C7 =, 1 C5 B5, 1 C3 C4, 1 C4 C5, 1 C5 C6, 1 C6 C7, 1 C7 D7 = flag2:B12", piece: "D7", want: "9"},

		{name: "its attack won: higher", log: "2 E7 E6 >", piece: "E7", want: "98765"},
		{name: "its attack lost: lower", log: "2 E7 E6 <", piece: "E7", want: "321"},
		{name: "its attack tied: equal", log: "2 E7 E6 =", piece: "E7", want: "4"},
		{name: "its attack tied: equal or a bomb", log: "2 E7 E6 =, 2 E8 E5 =", piece: "E8", want: "5B"},
		{name: "its attack won a landmine", log: raid + "2 E11 E2 >", piece: "E11", want: "1"},
		{name: "its attack on a landmine", log: "2 E7 E6 >, 2 E6 E5 >, 2 E5 E4 >, 2 E4 E3 >, 2 E3 E2 =", piece: "E7", want: "87"},
		{name: "mines stay: its attack on a landmine", minesStay: true, log: "2 E7 E6 >, 2 E6 E5 >, 2 E5 E4 >, 2 E4 E3 >, 2 E3 E2 <", piece: "E7", want: "87"},
		{name: "mines stay: a bomb takes one", minesStay: true, log: raid + "2 E11 E2 =", piece: "E11", want: "B"},
		{name: "mines stay: our field marshal lost", minesStay: true, log: lane + "1 A10 A11 < flag1:B1", piece: "A11", want: "L"},
		{name: "mines stay: our field marshal tied", minesStay: true, log: lane + "1 A10 A11 = flag1:B1", piece: "A11", want: "B"},

		{name: "a flag was shown: its field marshal", log: raid + "2 E11 E2 = flag2:D12", piece: "E11", want: "9"},
		{name: "no flag was shown: not its field marshal", log: raid + "2 E11 E2 =", piece: "E11", want: "8765432B"},
		{name: "a flag was shown: where it stands", log: "1 A6 A7 = flag1:B1 flag2:D12", piece: "D12", want: "F"},
		{name: "a flag was shown: where it does not", log: "1 A6 A7 = flag1:B1 flag2:D12", piece: "B12", want: "87654321BL"},
		{name: "its flag was taken", log: lane + "1 A10 A11 >, 1 A11 A12 >, 1 A12 B12 flag", piece: "B12", want: "F"},
		{name: "our flag was taken: the taker moves", log: raid + "2 E11 E3, 2 E3 D3, 2 D3 C2 >, 2 C2 B2 >, 2 B2 B1 flag", piece: "E11", want: "9876543"},

		{name: "count: the field marshal is known", log: "1 C6 C7 <", piece: "A7", want: "87654321"},
		{name: "count: the two highest are known", log: "1 A6 A7 >, 1 A7 B7 >, 1 A5 A6, 1 A6 A8 <, 1 C6 C7 >, 1 C7 D7 >, 1 C5 C6, 1 C6 C7, 1 C7 C8 <", piece: "E12", want: "7654321BL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := New(observed(t, test.minesStay, test.log))
			sq, _ := luzhanqi.ParseSquare(test.piece)
			for p := range Piece(Pieces) {
				if b.Initial(p) == sq && b.Mask(p).String() != test.want {
					t.Errorf("the piece from %s is one of %v, not %s (trouble: %v)", test.piece, b.Mask(p), test.want, b.Trouble())
				}
			}
			if err := b.Trouble(); err != nil {
				t.Error(err)
			}
		})
	}
}
