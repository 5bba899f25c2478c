package sexpr_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"luzhanqi/sexpr"

	"github.com/google/go-cmp/cmp"
)

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkPlayer holds what is promised of ParsePlayer for any text.
func checkPlayer(t failer, text []byte) {
	t.Helper()
	message, err := sexpr.ParsePlayer(text)
	if !checkVerdict(t, text, playerLanguage.Match(text), err) {
		return
	}
	again, err := sexpr.ParsePlayer(message.AppendTo(nil))
	if err != nil || !cmp.Equal(message, again) {
		t.Fatalf("%q: read as %v, which is read as %v, %v", text, message, again, err)
	}
	if move, ok := sexpr.LookupMove(text); ok && move != message {
		t.Fatalf("%q: LookupMove says %v, ParsePlayer %v", text, move, message)
	}
	// With a blank before it, a text is left to the parser.
	if initial, ok := sexpr.LookupInitial(text); ok && len(text) < sexpr.DefaultLimits.Bytes {
		if parsed, err := sexpr.ParsePlayer(append([]byte(" "), text...)); err != nil || !cmp.Equal(parsed, sexpr.PlayerMessage(initial)) {
			t.Fatalf("%q: LookupInitial says %v, the parser %v, %v", text, initial, parsed, err)
		}
	}
}

func checkReferee(t failer, text []byte) {
	t.Helper()
	message, err := sexpr.ParseReferee(text)
	if !checkVerdict(t, text, refereeLanguage.Match(text), err) {
		return
	}
	again, err := sexpr.ParseReferee(message.AppendTo(nil))
	if err != nil || message != again {
		t.Fatalf("%q: read as %v, which is read as %v, %v", text, message, again, err)
	}
}

// checkVerdict compares a parser's verdict with the grammar's, and says
// whether both accept the text.
func checkVerdict(t failer, text []byte, legal bool, err error) bool {
	t.Helper()
	legal = legal && len(text) <= sexpr.DefaultLimits.Bytes
	if legal != (err == nil) {
		t.Fatalf("%q: legal by the grammar: %v, the parser says %v", text, legal, err)
	}
	if err != nil {
		checkSyntaxError(t, text, err)
		return false
	}
	var framer sexpr.Framer
	start, end, err := framer.Next(text)
	if trimmed := bytes.Trim(text, " \t\n\v\f\r"); err != nil || !bytes.Equal(text[start:end], trimmed) {
		t.Fatalf("%q: parsed, but framed as %q, %v", text, text[start:end], err)
	}
	return true
}

func checkSyntaxError(t failer, text []byte, err error) {
	t.Helper()
	var syntax *sexpr.SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("%q: %T is no SyntaxError: %v", text, err, err)
	}
	if syntax.Offset < 0 || syntax.Offset > len(text) || len(syntax.Found) > 40*len(`\x00`)+len(`""…`) {
		t.Fatalf("%q: offset or found out of bounds: %v", text, err)
	}
	for _, c := range strings.ReplaceAll(err.Error(), "…", "") {
		if c < ' ' || c > '~' {
			t.Fatalf("%q: error is not printable: %q", text, err)
		}
	}
	// Participle's own words would show a production or a whole choice.
	if bytes.ContainsAny([]byte(syntax.Allowed), "|") || syntax.Allowed == "" || syntax.Allowed[0] == '<' {
		t.Fatalf("%q: allowed is not in our words: %v", text, err)
	}
}

// seed adds a text unless it is so long that a fuzzer would spend its time on
// making it shorter; the tables try the long ones.
func seed(f *testing.F, text string, more ...any) {
	if len(text) < 1000 {
		f.Add(append([]any{[]byte(text)}, more...)...)
	}
}

func FuzzPlayer(f *testing.F) {
	for _, c := range playerCases {
		seed(f, c.text)
	}
	for _, c := range playerErrors {
		seed(f, c.text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkPlayer(t, text) })
}

func FuzzReferee(f *testing.F) {
	for _, c := range refereeCases {
		seed(f, c.text)
	}
	for _, c := range refereeErrors {
		seed(f, c.text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkReferee(t, text) })
}

func FuzzFrame(f *testing.F) {
	for _, c := range habits {
		seed(f, c.sent, uint8(40), uint8(3))
	}
	f.Add([]byte("((((((((((((((((((((()"), uint8(200), uint8(4))
	f.Add([]byte("          (a)"), uint8(12), uint8(4))
	f.Add([]byte("(a\x00\xff)\x00"), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, sent []byte, maxBytes, maxDepth uint8) {
		// Small limits, so that short inputs pass them; 0 is the default.
		limits := sexpr.Limits{Bytes: int(maxBytes), Depth: int(maxDepth)}
		checkFrames(t, sent, limits)
	})
}
