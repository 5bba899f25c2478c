package jungle

import "testing"

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"0 6 0 5", "6 8 6 7", "0 6 0 5 ", "-1 -1 -1 -1", "7 0 0 0", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Game{}.ParseMove(text)
		if err == nil && (Game{}.FormatMove(m) != text || m.From >= squareCount || m.To >= squareCount) {
			t.Errorf("%q is read as %s", text, MoveName(m))
		}
	})
}
