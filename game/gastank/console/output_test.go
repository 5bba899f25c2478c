package console

import (
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for raw, want := range map[string]string{
		"plain\r\ntext\n":                       "plain\ntext\n",
		"\x1b[1;31mD\x1b[0m\x1b[32m7\x1b[K":     "D7",
		"\x1b]0;title\x07a\x1b]2;t\x1b\\b":      "ab",
		"\x1b(Ba\x1b=b\x1b7c\x1bM":              "abc",
		"thinking |\b/\b-\b\\\b done":           "thinking  done",
		"one\rtwo\r\r\nthree":                   "one\ntwo\nthree",
		"\x00\x07a\x7f\tb\n\b":                  "a\tb\n",
		"cut \x1b":                              "cut ",
		"cut \x1b[31":                           "cut ",
		"cut \x1b]0;ti":                         "cut ",
		"broken \x1b[3\ntext":                   "broken \ntext",
		"long \x1b]" + strings.Repeat("x", 600): "long ]" + strings.Repeat("x", 600),
	} {
		c := clean([]byte(raw))
		if string(c.text) != want {
			t.Errorf("%q becomes %q, want %q", raw, c.text, want)
		}
	}
}

// FuzzClean checks that offsets name the byte that they stand for.
func FuzzClean(f *testing.F) {
	f.Add([]byte("\x1b[1;31mD\x1b[0m7\b\r\nx\x1b]0;t\x07y\x1b"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := clean(raw)
		if len(c.at) != len(c.text)+1 || c.at[len(c.text)] > len(raw) {
			t.Fatalf("%d offsets for %d bytes", len(c.at), len(c.text))
		}
		for i, b := range c.text {
			if raw[c.at[i]] != b && (b != '\n' || raw[c.at[i]] != '\r') || c.at[i] >= c.at[i+1] {
				t.Fatalf("byte %d is at %d", i, c.at[i])
			}
		}
	})
}
