package sexpr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
)

// SyntaxError says where a text leaves the grammar. Its text is one line of
// printable ASCII, whatever was read.
type SyntaxError struct {
	Offset  int    // in bytes from the start of the text
	Found   string // the item there, quoted, escaped and cut to 40 bytes; or "the end"
	Allowed string // what could have stood there
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("at byte %d: found %s, allowed: %s", e.Offset, e.Found, e.Allowed)
}

const theEnd = "the end"

// allowed puts into words what participle expected: the rest of the grammar
// from the failing token on, of which only the beginning matters. The first
// entry that fits wins.
var allowed = []struct{ rest, words string }{
	{`(("resign"`, `a square A1 to E12, "resign", "(" or ")"`},
	{`<square>`, `a square A1 to E12`},
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
	return &SyntaxError{Offset: token.Pos.Offset, Found: found, Allowed: allowedAt(text, unexpected)}
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

func tooLong(text []byte) error {
	most := DefaultLimits.Bytes
	return &SyntaxError{
		Offset:  most,
		Found:   quoted(string(text[most:min(len(text), most+shown)])),
		Allowed: fmt.Sprintf("%s, after at most %d bytes", theEnd, most),
	}
}

func tooDeep(at int) error {
	return &SyntaxError{
		Offset:  at,
		Found:   `"("`,
		Allowed: fmt.Sprintf(`at most %d open "("`, DefaultLimits.Depth),
	}
}

const shown = 40 // bytes of a foreign text in an error, quotes included

// quoted shows a foreign text in printable ASCII, so that a hostile one can
// neither steer a terminal nor pass the Cyrillic А for the Latin A. Three dots
// after the quotes say that it was cut.
func quoted(text string) string {
	for length := min(len(text), shown); ; length-- {
		quote := strconv.QuoteToASCII(text[:length])
		switch {
		case len(quote) > shown:
			continue
		case length < len(text):
			return quote + "..."
		default:
			return quote
		}
	}
}
