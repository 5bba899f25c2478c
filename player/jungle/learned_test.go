package jungle

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// someWeights are drawn.
func someWeights(r *rand.Rand) *Learned {
	l := &Learned{}
	for _, n := range l.Numbers() {
		*n = int16(r.IntN(2*maxLearned+1) - maxLearned)
	}
	return l
}

// A position is worth less than a proof.
func TestMost(t *testing.T) {
	if most := Default().most(); most < 1000 || most > maxValue {
		t.Errorf("what was learned is worth up to %d", most)
	}
	if _, err := Read(someWeights(rand.New(rand.NewPCG(1, 1))).Text("")); err == nil || !strings.Contains(err.Error(), "a position can be worth") {
		t.Errorf("weights of any size: %v", err)
	}
}

// The weights times their inputs are what the tables say, but for the rounding of what is between all pieces and none.
func TestInputsAreThoseOfTheTables(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 4 {
		l := someWeights(r)
		terms, numbers := l.terms(), l.Numbers()
		if len(numbers) != Inputs {
			t.Fatalf("%d numbers, %d inputs", len(numbers), Inputs)
		}
		for range 500 {
			b := jungle.Empty(jungle.Referee)
			for k := range jungle.Kind(jungle.Kinds) {
				for side := range game.Side(2) {
					if r.IntN(3) > 0 {
						b.Put(game.Square(r.IntN(63)), side, k)
					}
				}
			}
			turn := game.Side(r.IntN(2))
			want := 0.0
			for _, in := range InputsOf(&b, turn) {
				want += float64(*numbers[in.Weight]) * float64(in.Value)
			}
			if got := float64(terms.judge(&b) + terms.mover*int32(1-2*int(turn))); math.Abs(got-want) > 1 {
				t.Fatalf("%s, %s to move: tables %v, inputs %v", b.String(), jungle.Color(turn), got, want)
			}
		}
	}
}

// A side's view of a position is the other's of the same one turned round, and left and right are the same.
func TestTheBoardIsTheSameForBoth(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	terms := someWeights(r).terms()
	for range 500 {
		b, turned, mirrored := jungle.Empty(jungle.Referee), jungle.Empty(jungle.Referee), jungle.Empty(jungle.Referee)
		taken := map[game.Square]bool{}
		for k := range jungle.Kind(jungle.Kinds) {
			for side := range game.Side(2) {
				sq := game.Square(r.IntN(63))
				if taken[sq] {
					continue
				}
				taken[sq] = true
				b.Put(sq, side, k)
				turned.Put(62-sq, side.Other(), k)
				mirrored.Put(sq/7*7+6-sq%7, side, k)
			}
		}
		if one, other, third := terms.judge(&b), terms.judge(&turned), terms.judge(&mirrored); one+other < -1 || one+other > 1 || one != third {
			t.Fatalf("%s: %d, turned %d, mirrored %d", b.String(), one, other, third)
		}
	}
}

// The levels below strong judge by the textbook, and keep their moves: who changes it on purpose measures them again.
func TestTextbookIsPinned(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	sum := fnv.New64a()
	terms := Textbook.terms()
	for range 20_000 {
		b := jungle.Empty(jungle.Referee)
		for k := range jungle.Kind(jungle.Kinds) {
			for side := range game.Side(2) {
				if r.IntN(3) > 0 {
					b.Put(game.Square(r.IntN(63)), side, k)
				}
			}
		}
		fmt.Fprintln(sum, terms.judge(&b))
	}
	if got := sum.Sum64(); got != 0xf88afe9c7e752ea9 {
		t.Errorf("it judges otherwise: %#x", got)
	}
}

func TestLearnedText(t *testing.T) {
	l := someWeights(rand.New(rand.NewPCG(10, 10)))
	for _, n := range l.Numbers() {
		*n /= 20
	}
	text := l.Text("made\nby chance\n")
	again, err := Read(text)
	if err != nil || *again != *l {
		t.Errorf("read again: %v", err)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"missing":   {"\nmover:", "\n# mover:", `the line "mover" is missing`},
		"too many":  {"# by chance\n", "worth: 1 2 3 4 5 6 7 8\n", `line 3: "worth" with 8 numbers; must be "elephant against" with 8`},
		"one more":  {"worth:", "worth: 7", `line 3: "worth" with 9 numbers; must be "worth" with 8`},
		"a word":    {"worth:", "worth: x #", `line 3: "worth" with`},
		"too large": {"mover:", "mover: 1501 #", "with 3 numbers"},
		"after":     {"# made\n", "# made\n" + strings.TrimPrefix(text, "# made\n# by chance\n"), "is one too many"},
	} {
		if _, err := Read(strings.Replace(text, c.from, c.to, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	for _, number := range []string{"1501", "-1501", "x", "1.5", "99999"} {
		at := strings.LastIndex(text, ": ")
		if _, err := Read(text[:at+2] + number + "\n"); err == nil || !strings.Contains(err.Error(), "whole numbers from -1500 to 1500") {
			t.Errorf("%s: %v", number, err)
		}
	}
}
