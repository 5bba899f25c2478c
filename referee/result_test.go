package referee

import "testing"

// TestGivenUp: a void game is played again, but not twice for one reason, nor more than five times.
func TestGivenUp(t *testing.T) {
	for _, c := range []struct {
		reasons []string
		want    bool
	}{
		{nil, false},
		{[]string{"a"}, false},
		{[]string{"a", "b", "a"}, false},
		{[]string{"a", "b", "b"}, true},
		{[]string{"a", "b", "a", "b"}, false},
		{[]string{"a", "b", "a", "b", "a"}, true},
	} {
		if got := GivenUp(c.reasons); got != c.want {
			t.Errorf("%q: %v, want %v", c.reasons, got, c.want)
		}
	}
}
