// Package sexpr is the language in which a Luzhanqi referee and a player
// program talk: S-expressions such as ((A1 F) (A2 L)), (A6 A7) and
// (outcome > (A6 A7)).
//
// A byte stream becomes messages in two steps, because programs cut their
// messages anywhere: a [Framer] finds the balanced expressions, then
// [ParsePlayer] reads what a player sends and [ParseReferee] what a referee
// sends. Every message prints itself in
// canonical spacing with String and AppendTo: no blank after "(" or before
// ")", one blank between items, no newline. [LookupMove] reads a canonical
// move without a parser, for the hot path.
//
// Whatever the bytes are, the parsers and the framer return: a value, a
// [*SyntaxError] or a [*FrameError]; they do not panic, and what they spend is
// bounded by 64 KiB of text. All functions are safe for concurrent use; a
// Framer belongs to one goroutine.
//
// The package knows syntax, not the game: a set-up may name a square twice and
// a move may start where it ends. It does not turn squares between the
// players' views, and it does not read the older line dialect.
package sexpr

// blanks are the bytes that may stand between expressions and between their
// items: isspace of C, because that is what programs print between messages.
const blanks = " \t\n\v\f\r"

func blank(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}
