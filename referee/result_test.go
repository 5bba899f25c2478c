package referee

import (
	"slices"
	"strings"
	"testing"
)

// TestGivenUp: a void game is played again, but not when the machine has failed twice for one reason, nor more than five
// times. Stops, interruptions and what an opponent did, which somebody made, are not the machine's.
func TestGivenUp(t *testing.T) {
	for _, c := range []struct {
		voids string // the machine's reasons; a point is a stop, a comma an interruption, a colon an opponent
		want  bool
	}{
		{"", false},
		{"a", false},
		{"aba", false},
		{"abb", true},
		{"abab", false},
		{"ababa", true},
		{"a.a", true},
		{"a.b", false},
		{"::::::", false},
		{"a:b:a:b:a", true},
		{strings.Repeat(".,", 20) + ".", false}, // 41 times
		{strings.Repeat(".", 41) + "a", false},
		{strings.Repeat(".", 999), false},
		{strings.Repeat(".", 1000), true},
	} {
		var voids []Voided
		for _, r := range c.voids {
			v := Voided{Reason: string(r)}
			if i := slices.Index([]rune{'.', ',', ':'}, r); i >= 0 {
				v.By = []VoidBy{ByStop, ByInterruption, ByOpponent}[i]
			}
			voids = append(voids, v)
		}
		if got := GivenUp(voids); got != c.want {
			t.Errorf("%q: %v, want %v", c.voids, got, c.want)
		}
	}
}
