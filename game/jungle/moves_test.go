package jungle

import (
	"strings"
	"testing"

	"luzhanqi/game"
)

// TestRules is a list of the rules: a board, a move, and what is wrong with it for the referee and
// by the statement (empty: nothing).
func TestRules(t *testing.T) {
	const same = "same"
	for _, c := range []struct{ units, move, referee, statement string }{
		{"C00", "0 0 0 1", "", same},
		{"C00", "0 0 0 0", "one step", same},
		{"C00", "0 0 1 1", "one step", same},
		{"C00", "0 0 0 2", "one step", same},
		{"C60", "6 0 0 1", "one step", same}, // the next square by number
		{"C00", "1 0 1 1", "nothing stands on 1 0", same},
		{"C00 c20", "2 0 2 1", "the cat on 2 0 is blue's", same},
		{"C00 D01", "0 0 0 1", "the own dog stands on 0 1", same},
		// dens
		{"C28", "2 8 3 8", "nobody enters the own den", same},
		{"C20", "2 0 3 0", "", same},
		// strength
		{"D00 d01", "0 0 0 1", "", same},
		{"D00 w01", "0 0 0 1", "", same},
		{"W00 d01", "0 0 0 1", "a wolf (strength 3) cannot take a dog (strength 4)", same},
		{"L00 e01", "0 0 0 1", "a lion (strength 7) cannot take an elephant", same},
		{"R00 e01", "0 0 0 1", "", same},
		{"R00 c01", "0 0 0 1", "a rat (strength 1) cannot take a cat", same},
		{"E00 r01", "0 0 0 1", "an elephant takes a rat only on a trap", same},
		// traps, of either side
		{"C10 l20", "1 0 2 0", "", same},
		{"C18 l28", "1 8 2 8", "", same},
		{"R10 l20", "1 0 2 0", "", same},
		{"E10 r20", "1 0 2 0", "", same}, // "so it can be captured by any other animal"
		{"L20 c10", "2 0 1 0", "", "a lion on a trap has strength 0"},
		{"L28 c18", "2 8 1 8", "", "a lion on a trap has strength 0"},
		{"R20 e10", "2 0 1 0", "", same}, // rats take elephants, whatever their strength
		{"R20 r10", "2 0 1 0", "", "a rat on a trap has strength 0"},
		{"E20 r10", "2 0 1 0", "an elephant takes a rat only on a trap", same},
		// water
		{"C12", "1 2 1 3", "only rats enter the water", same},
		{"L12", "1 2 1 3", "only rats enter the water", same},
		{"R12", "1 2 1 3", "", same},
		{"R13 r14", "1 3 1 4", "", same},
		{"R03 r13", "0 3 1 3", "", same},
		{"R13 r03", "1 3 0 3", "a rat in the water takes nobody on land", same},
		{"R13 e03", "1 3 0 3", "a rat in the water takes nobody on land", same},
		{"R13", "1 3 0 3", "", same},
		// jumps
		{"L12", "1 2 1 6", "", same},
		{"T12", "1 2 1 6", "", same},
		{"P12", "1 2 1 6", "one step", same},
		{"L03", "0 3 3 3", "", same},
		{"L33", "3 3 6 3", "", same},
		{"L03", "0 3 6 3", "nearest land", same},
		{"L12 r14", "1 2 1 6", "in the way", same},
		{"L12 R14", "1 2 1 6", "in the way", same},
		{"L12 r24", "1 2 1 6", "", same},
		{"L12 t16", "1 2 1 6", "", same},
		{"T12 l16", "1 2 1 6", "a tiger (strength 6) cannot take a lion", same},
		{"T12 L16", "1 2 1 6", "the own lion stands on 1 6", same},
	} {
		for reading, want := range map[Reading]string{Referee: c.referee, Statement: c.statement} {
			if want == same {
				want = c.referee
			}
			b, err := ParseBoard(c.units, reading)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Game{}.ParseMove(c.move)
			if err != nil {
				t.Fatal(err)
			}
			err = NewPosition(b, game.First).Check(m)
			switch {
			case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s, move %s, reading %d: %v, want %q", c.units, c.move, reading, err, want)
			}
		}
	}
}
