// Package text holds what every room writes for people alike: text that is shortened without splitting a
// character, text of a stranger that a terminal or a page can show, numbers with the right plural, and
// milliseconds.
//
// Three ways to shorten differ in what they count and in what they say of the rest. [Cut] counts bytes and
// says how many are left out: for messages and records. [Shorten] counts characters and ends with "…": for a
// line on a screen. [Prefix] and [Suffix] count bytes and say nothing: for a caller who says it, or for bytes
// that nobody reads as a sentence.
//
// What a program sent may hold anything. [Printable] and [PrintableLines] show it but for what steers a terminal;
// [Quote] shows every byte of it, escaped; [OneLine] makes it a short line.
//
// Widths of characters on a screen, and languages other than English, are not known here.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Prefix is the longest beginning of s that has at most max bytes and splits no character. A byte that is not
// UTF-8 counts as a character. Max is not negative, here and below.
func Prefix[T ~string | ~[]byte](s T, max int) T {
	if len(s) <= max {
		return s
	}
	first, _ := character(s, max)
	return s[:first]
}

// Suffix is the longest end of s that has at most max bytes and splits no character.
func Suffix[T ~string | ~[]byte](s T, max int) T {
	at := len(s) - max
	if at <= 0 {
		return s
	}
	_, next := character(s, at)
	return s[next:]
}

// character is where the character begins and ends that a cut before the byte at would split; if it splits
// none, both are at.
func character[T ~string | ~[]byte](s T, at int) (first, next int) {
	for first = at - 1; first >= 0 && first > at-utf8.UTFMax; first-- {
		_, size := utf8.DecodeRuneInString(string(s[first:min(len(s), first+utf8.UTFMax)]))
		if next = first + size; next > at {
			return first, next
		}
	}
	return at, at
}

// Cut shortens s to at most max bytes, without splitting a character, and says behind them how many are left
// out: "An illegal mo … (93 bytes more)".
func Cut(s string, max int) string {
	kept := Prefix(s, max)
	return kept + More(len(s)-len(kept))
}

// More is what [Cut] says about bytes that are left out: " … (93 bytes more)", and nothing about none.
func More(bytes int) string {
	if bytes <= 0 {
		return ""
	}
	return fmt.Sprintf(" … (%s more)", Count(bytes, "byte"))
}

// Shorten shortens s to at most max characters; "…" is the last of them if something is left out.
func Shorten(s string, max int) string {
	if len(s) <= max || utf8.RuneCountInString(s) <= max {
		return s
	}
	if max < 1 {
		return ""
	}
	return fmt.Sprintf("%.*s…", max-1, s)
}

// Wrap breaks a text into lines of at most width columns of a terminal, at blanks; a longer word has a line of its own.
func Wrap(s string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// OneLine makes s one printable line of at most max characters: runs of white space become one blank.
func OneLine(s string, max int) string {
	return Shorten(Printable(strings.Join(strings.Fields(s), " ")), max)
}

// Printable is a line that a stranger wrote, fit for a terminal, a page or a log: control characters except
// tabs, line ends, what turns the direction of writing or has no shape, and bytes that are not UTF-8 become
// U+FFFD.
func Printable(line string) string {
	return strings.Map(printable, line)
}

// PrintableLines is [Printable] for several lines: it keeps their ends, and writes "\r\n" as "\n".
func PrintableLines(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return printable(r)
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

func printable(r rune) rune {
	if r == '\t' || unicode.IsGraphic(r) {
		return r
	}
	return utf8.RuneError
}

// Quote shows what a stranger sent, in an error: the first max bytes in quotes, everything but printable ASCII
// escaped, so that it can neither steer a terminal nor pass a Cyrillic А for the Latin A. "…" behind the quotes
// says that there was more.
func Quote(s string, max int) string {
	if kept := Prefix(s, max); len(kept) < len(s) {
		return strconv.QuoteToASCII(kept) + "…"
	}
	return strconv.QuoteToASCII(s)
}
