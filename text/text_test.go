package text_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"luzhanqi/text"
)

func TestShortened(t *testing.T) {
	for _, c := range []struct{ name, found, want string }{
		{"prefix splits no character", text.Prefix("aéb", 2), "a"},
		{"prefix keeps what fits", text.Prefix("aéb", 3), "aé"},
		{"prefix of bytes that are no UTF-8", text.Prefix("\xff\xfe\xfd", 2), "\xff\xfe"},
		{"prefix of continuation bytes alone", text.Prefix("\x80\x80\x80\x80\x80", 3), "\x80\x80\x80"},
		{"prefix of a character that breaks off", text.Prefix("a\xe2\x82", 2), "a\xe2"},
		{"prefix of nothing", text.Prefix("é", 1), ""},
		{"suffix splits no character", text.Suffix("aéb", 2), "b"},
		{"suffix keeps what fits", text.Suffix("aéb", 3), "éb"},
		{"suffix of four bytes", text.Suffix("a😀", 3), ""},
		{"suffix of all", text.Suffix("a😀", 5), "a😀"},
		{"cut says what is left out", text.Cut("abcdef", 3), "abc … (3 bytes more)"},
		{"cut counts what did not fit", text.Cut("aéb", 2), "a … (3 bytes more)"},
		{"cut counts one", text.Cut("abc", 2), "ab … (1 byte more)"},
		{"cut keeps what fits", text.Cut("abc", 3), "abc"},
		{"shorten counts characters", text.Shorten("éééé", 3), "éé…"},
		{"shorten keeps what fits", text.Shorten("ééé", 3), "ééé"},
		{"shorten to nothing", text.Shorten("ééé", 0), ""},
		{"one line", text.OneLine(" a\n\tb\x1b c ", 10), "a b\uFFFD c"},
		{"printable keeps tabs and blanks", text.Printable("  a\tb\u00a0"), "  a\tb\u00a0"},
		{"printable is one line", text.Printable("a\r\nb\u2028"), "a\uFFFD\uFFFDb\uFFFD"},
		{"printable turns no direction", text.Printable("a\u202eb\xff\x9b"), "a\uFFFDb\uFFFD\uFFFD"},
		{"lines are kept", text.PrintableLines("a\r\n\tb\n\rc\x07"), "a\n\tb\n\uFFFDc\uFFFD"},
		{"quote", text.Quote("A1\n\x1b[2JА", 100), `"A1\n\x1b[2J\u0410"`},
		{"quote cut", text.Quote("aéb", 2), `"a"…`},
	} {
		if c.found != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.found, c.want)
		}
	}
}

// What is valid stays valid, and nothing is longer than promised, or shorter than it must be.
func TestShortenedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		max := rapid.IntRange(0, 20).Draw(t, "max")
		prefix, suffix, short := text.Prefix(s, max), text.Suffix(s, max), text.Shorten(s, max)
		if !strings.HasPrefix(s, prefix) || !strings.HasSuffix(s, suffix) {
			t.Fatalf("%q and %q are not the ends of %q", prefix, suffix, s)
		}
		for _, part := range []string{prefix, suffix} {
			if len(part) > max || len(part) < min(len(s), max-utf8.UTFMax+1) {
				t.Fatalf("%d bytes of %q, at most %d", len(part), s, max)
			}
		}
		if string(text.Prefix([]byte(s), max)) != prefix || string(text.Suffix([]byte(s), max)) != suffix {
			t.Fatal("bytes are cut otherwise than a string")
		}
		if n := utf8.RuneCountInString(short); n != min(max, utf8.RuneCountInString(s)) {
			t.Fatalf("%d characters of %q, at most %d", n, s, max)
		}
		for _, clean := range []string{text.Printable(s), text.PrintableLines(s), text.OneLine(s, max), text.Quote(s, max)} {
			if !utf8.ValidString(clean) || strings.ContainsAny(clean, "\x1b\r\x00\u202e") {
				t.Fatalf("%q from %q", clean, s)
			}
		}
		if !utf8.ValidString(s) {
			return
		}
		for _, part := range []string{prefix, suffix, short, text.Cut(s, max)} {
			if !utf8.ValidString(part) {
				t.Fatalf("%q of %q, at most %d, is not UTF-8", part, s, max)
			}
		}
	})
}

func TestCount(t *testing.T) {
	for want, c := range map[string]struct {
		n    int
		noun string
	}{
		"1 game": {1, "game"}, "0 games": {0, "game"}, "-1 games": {-1, "game"}, "2 plies": {2, "ply"}, "3 days": {3, "day"},
		"2 losses": {2, "loss"}, "2 processes": {2, "process"}, "2 matches": {2, "match"}, "2 hidden pieces": {2, "hidden piece"},
	} {
		if found := text.Count(c.n, c.noun); found != want {
			t.Errorf("%q, want %q", found, want)
		}
	}
}

// Records hold milliseconds to the microsecond: what was written is read as it was.
func TestMilliseconds(t *testing.T) {
	if found := text.Milliseconds(1234567 * time.Nanosecond); found != 1.234 {
		t.Errorf("%v, want 1.234", found)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "µs")) * time.Microsecond
		if found := text.Duration(text.Milliseconds(d)); found != d {
			t.Fatalf("%v, want %v", found, d)
		}
	})
}

// A list stays within its columns, and loses no word.
func TestWrap(t *testing.T) {
	const s = "a set-up of six characters, blanks included: 陸戰棋 is-a-word-longer-than-the-line at the end (陷阱) 獸穴 (陷阱) end"
	lines := text.Wrap(s, 20)
	for _, line := range lines {
		if n := uniseg.StringWidth(line); n > 20 && strings.Contains(line, " ") {
			t.Errorf("%q has %d columns", line, n)
		}
	}
	if joined := strings.Join(lines, " "); joined != s {
		t.Errorf("%q", joined)
	}
	if len(text.Wrap("", 20)) != 1 {
		t.Error("nothing takes no line")
	}
}
