package sexpr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"

	"luzhanqi/text"
)

// SyntaxError says where a text leaves the grammar. Its text is one printable
// line, whatever was read.
type SyntaxError struct {
	Offset  int    // in bytes from the start of the text
	Found   string // the item there, cut to 40 bytes, quoted and escaped; or "the end"
	Allowed string // what could have stood there
	Hint    string // what was probably meant; may be empty
}

func (e *SyntaxError) Error() string {
	said := fmt.Sprintf("at byte %d: found %s, allowed: %s", e.Offset, e.Found, e.Allowed)
	if e.Hint != "" {
		said += "; " + e.Hint
	}
	return said
}

// hint says what was probably meant by a token where another was allowed: squares and pieces in small letters, and a set-up
// whose outer parentheses are missing, so that it looks like a move.
func hint(token, allowed string) string {
	capital := strings.ToUpper(token)
	_, width := squareAt(capital)
	square := width > 0 && width == len(capital)
	piece := len(capital) == 1 && strings.Contains("FLB123456789", capital)
	switch {
	case token != capital && (square || piece):
		return "squares and pieces have capital letters: " + capital
	case piece && allowed == aSquare:
		return "a set-up has parentheses around all of its pieces: ((A1 L) (B1 F) …)"
	}
	return ""
}

const aSquare = "a square A1 to E12"

const theEnd = "the end"

// allowed puts into words what participle expected: the rest of the grammar
// from the failing token on, of which only the beginning matters. The first
// entry that fits wins.
var allowed = []struct{ rest, words string }{
	{`(("resign"`, `a square A1 to E12, "resign", "(" or ")"`},
	{`<square>`, aSquare},
	{`("F"`, `a piece F, L, B or 1 to 9`},
	{`<close>`, `"(" or ")"`},
	{`")"`, `")"`},
	{`(("init"`, `"init", "go", "outcome", "illegal", "flag" or "end"`},
	{`("1"`, `1 or 2`},
	{`"time/move"`, `"time/move"`},
	{`<seconds>`, `seconds such as 1 or 1.0`},
	{`(MoveText`, `"(", "<", ">" or "="`},
	{`MoveText`, `"("`},
	{`("0"`, `0, 1 or 2`},
}

// syntaxError converts an error of participle about text.
func syntaxError(text string, err error) error {
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		// No grammar here leads to another kind; a caller is still owed its type.
		return &SyntaxError{Found: quoted(text), Allowed: err.Error()}
	}
	token := unexpected.Unexpected
	found := quoted(token.Value)
	if token.EOF() {
		found = theEnd
	}
	may := allowedAt(text, unexpected)
	return &SyntaxError{Offset: token.Pos.Offset, Found: found, Allowed: may, Hint: hint(token.Value, may)}
}

func allowedAt(text string, unexpected *participle.UnexpectedTokenError) string {
	// Participle shows its expectation only inside the message.
	bare := participle.UnexpectedTokenError{Unexpected: unexpected.Unexpected}
	rest := strings.TrimPrefix(unexpected.Message(), bare.Message())
	if rest == "" { // before the first token or after the last
		if strings.Trim(text[:unexpected.Unexpected.Pos.Offset], blanks) == "" {
			return `"("`
		}
		return theEnd
	}
	rest = strings.TrimSuffix(strings.TrimPrefix(rest, " (expected "), ")")
	for _, entry := range allowed {
		if strings.HasPrefix(rest, entry.rest) {
			return entry.words
		}
	}
	return rest
}

func tooLong(whole []byte) error {
	limit := DefaultLimits.Bytes
	return &SyntaxError{
		Offset:  limit,
		Found:   quoted(string(whole[limit:min(len(whole), limit+maxShown+1)])),
		Allowed: fmt.Sprintf("%s, after at most %d bytes", theEnd, limit),
	}
}

func tooDeep(at int) error {
	return &SyntaxError{
		Offset:  at,
		Found:   `"("`,
		Allowed: fmt.Sprintf(`at most %d open "("`, DefaultLimits.Depth),
	}
}

// quoted shows what was found, in an error.
func quoted(found string) string { return text.Quote(found, maxShown) }

const maxShown = 40 // bytes of what was found
