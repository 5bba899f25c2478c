package referee

import (
	"slices"
	"strings"
	"testing"
)

// TestTail: the last messages are kept, each cut between two characters.
func TestTail(t *testing.T) {
	var l Tail
	for range usualTail {
		l.Add(true, []byte("gone\n"))
	}
	for range usualTail - 1 {
		l.Add(true, []byte("(go 1)\n"))
	}
	l.Add(false, []byte("x"+strings.Repeat("é", maxTailLine)))
	want := slices.Repeat([]string{"> (go 1)"}, usualTail-1)
	want = append(want, "< x"+strings.Repeat("é", 99)+" … (202 bytes more)")
	if got := l.Texts(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
