package check

import (
	"bytes"
	"encoding/json"
	"testing"

	"luzhanqi/game"
)

// FuzzLog guards that a log, which a killed probe may have left torn, is read as far as it is whole.
func FuzzLog(f *testing.F) {
	f.Add([]byte(`{"event":"start","at":1,"pid":7}` + "\n" + `{"event":"move","at":2,"move":"A6 A7"}`))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := parseLog(text)
		if err != nil {
			return
		}
		if len(all) != bytes.Count(text, []byte("\n")) {
			t.Fatalf("%d lines of %q", len(all), text)
		}
		var again []byte
		for _, line := range all {
			one, err := json.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			again = append(append(again, one...), '\n')
		}
		if back, err := parseLog(again); err != nil || len(back) != len(all) {
			t.Fatalf("written again: %d lines, %v", len(back), err)
		}
	})
}

// FuzzObserver guards that whatever a program says, what is shown of it is bounded and harmless.
func FuzzObserver(f *testing.F) {
	f.Add([]byte("(A6 A7)\n"), []byte("\x1b[31m\xff\n\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		w := newObserver(game.First).tail
		for range maxLines {
			w.Add(true, a)
			w.Add(false, b)
		}
		all := w.Texts()
		if len(all) > maxLines+3 { // the first two are shown, too, and that some are left out
			t.Fatalf("%d lines", len(all))
		}
		for _, line := range all {
			if len(line) > 4*(200+50)+60 || /* each byte quoted, and the words for what is left out */ bytes.ContainsFunc([]byte(line), func(c rune) bool { return c < ' ' || c == 0x7f }) {
				t.Fatalf("line %q", line)
			}
		}
	})
}
