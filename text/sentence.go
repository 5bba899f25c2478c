package text

import (
	"unicode"
	"unicode/utf8"
)

// Sentence begins an error with a capital letter and ends it with a full stop.
func Sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:] + "."
}
