package gastank

import "testing"

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"A3D6", "h7a1", " A3 D6", "I1A1", "A8A1", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := ParseMove(text); err == nil && MoveName(m) != text {
			t.Errorf("%q is read as %s", text, MoveName(m))
		}
		m, err := ParseTypedMove(text)
		if err != nil {
			return
		}
		if again, err := ParseMove(MoveName(m)); err != nil || again != m {
			t.Errorf("%q became %+v and then %+v, %v", text, m, again, err)
		}
	})
}
