package queue

import "testing"

func TestResultsAreRead(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "short": "abc", "long": "\xff\xff\xff\xff{}", "no JSON": "\x00\x00\x00\x02[]", "another schema": "\x00\x00\x00\x0c{\"schema\":9}",
		"no ending": "\x00\x00\x00\x23{\"schema\":1,\"id\":\"a\",\"attempt\":1 }  ",
	} {
		if r, err := decode([]byte(text)); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func FuzzResult(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decode(b)
		if err != nil {
			return
		}
		again, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(again); err != nil {
			t.Errorf("%q, read and written: %v", b, err)
		}
	})
}
