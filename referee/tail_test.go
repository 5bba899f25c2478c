package referee

import (
	"slices"
	"strings"
	"testing"
)

// TestTail: the last messages are kept, each cut in the middle, between two characters.
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
	want = append(want, "< x"+strings.Repeat("é", 74)+" … (202 bytes more) "+strings.Repeat("é", 25))
	if got := l.Texts(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	l.Add(true, []byte(strings.Repeat("a", maxTailLine+tailEnd)+"\n")) // one byte more than fits
	l.Add(true, []byte(strings.Repeat("a", maxTailLine+tailEnd)))
	got := l.Texts()
	if want := "> " + strings.Repeat("a", maxTailLine+tailEnd); got[len(got)-1] != want || got[len(got)-2] == want {
		t.Errorf("%q", got[len(got)-2:])
	}
}

// TestTailLines: of lines the first ones are shown that a program was sent, and of each long list its beginning and its end: in
// Jungle the color, the opponent's move and the number of legal ones.
func TestTailLines(t *testing.T) {
	l := Tail{Max: 14, Lines: true}
	l.Add(true, []byte("red\n"))
	for turn := range 9 {
		for _, line := range []string{"0 2 0 3\n", "\n", "23\n"} {
			l.Add(true, []byte(line))
		}
		for move := range 23 {
			l.Add(true, []byte{byte('a' + turn), ' '})
			l.Add(true, []byte{byte('a' + move), '\n'})
		}
		l.Add(false, []byte{byte('1' + turn), '\n'})
	}
	turn := func(turn string) []string {
		return []string{"> 0 2 0 3", "> 23", "> " + turn + " a", "> " + turn + " b", "  … (19 lines more)", "> " + turn + " v", "> " + turn + " w"}
	}
	want := slices.Concat([]string{"> red", "> 0 2 0 3", "…"}, []string{"< 8"}, turn("i"), []string{"< 9"})
	if got := l.Texts(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	few := Tail{Max: 14, Lines: true}
	few.Add(true, []byte("(begin)\n"))
	few.Add(false, []byte("(move"))
	few.Add(false, []byte(" a)\n"))
	if got := few.Texts(); !slices.Equal(got, []string{"> (begin)", "< (move a)"}) {
		t.Errorf("%q", got)
	}
}
