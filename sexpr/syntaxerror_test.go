package sexpr_test

import (
	"strings"
	"testing"

	"luzhanqi/sexpr"
)

// TestHints: who forgets the outer parentheses of a set-up, or its capitals, is told what was expected, and nobody else is.
func TestHints(t *testing.T) {
	for sent, want := range map[string]string{
		"(A1 L)":            "a set-up has parentheses around all of its pieces",
		"(A1 L) (B1 F)":     "a set-up has parentheses around all of its pieces",
		"((a1 L) (B1 F))":   "capital letters: A1",
		"((A1 l) (B1 F))":   "capital letters: L",
		"(a6 a7)":           "capital letters: A6",
		"(A6 A13)":          "",
		"((A1 X))":          "",
		"(resing)":          "",
		"hello":             "",
		"(A6 A7":            "",
		"(this is nothing)": "",
	} {
		_, err := sexpr.ParsePlayer([]byte(sent))
		if err == nil {
			t.Errorf("%s: no error", sent)
			continue
		}
		_, hint, _ := strings.Cut(err.Error(), "; ")
		if want == "" && hint != "" || !strings.Contains(hint, want) {
			t.Errorf("%s: hint %q, want %q", sent, hint, want)
		}
	}
}
