package sexpr

import (
	"io"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// The kinds of token. Only those have a kind that the grammar cannot list as
// literals, and closeToken, so that an error can name a set-up's end.
const (
	wordToken lexer.TokenType = iota + 1 // whatever is no other kind; literals match it by its text
	openToken
	closeToken
	squareToken
	secondsToken // digits, perhaps a point and digits; literals such as '1' match it by its text
)

// tokens cuts a text into parentheses and what stands between parentheses and
// blanks. It is written by hand since Go's regular expressions cannot look
// ahead: with them, A13 would be the square A1 and the piece 3.
type tokens struct{}

func (tokens) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF":     lexer.EOF,
		"Word":    wordToken,
		"Open":    openToken,
		"Close":   closeToken,
		"Square":  squareToken,
		"Seconds": secondsToken,
	}
}

func (t tokens) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return t.LexString(name, string(text))
}

func (tokens) LexString(_ string, text string) (lexer.Lexer, error) {
	return &cutter{text: text}, nil
}

// cutter cuts one text. Its positions count bytes alone, as [SyntaxError] does.
type cutter struct {
	text string
	at   int
}

func (c *cutter) Next() (lexer.Token, error) {
	for c.at < len(c.text) && blank(c.text[c.at]) {
		c.at++
	}
	position := lexer.Position{Offset: c.at}
	if c.at == len(c.text) {
		return lexer.EOFToken(position), nil
	}
	end := c.at + 1
	switch c.text[c.at] {
	case '(':
		c.at = end
		return lexer.Token{Type: openToken, Value: "(", Pos: position}, nil
	case ')':
		c.at = end
		return lexer.Token{Type: closeToken, Value: ")", Pos: position}, nil
	}
	if length := strings.IndexAny(c.text[end:], "()"+blanks); length >= 0 {
		end += length
	} else {
		end = len(c.text)
	}
	word := c.text[c.at:end]
	c.at = end
	if square, err := ParseSquare(word); err == nil {
		return lexer.Token{Type: squareToken, Value: string(square), Pos: position}, nil
	}
	if isSeconds(word) {
		return lexer.Token{Type: secondsToken, Value: word, Pos: position}, nil
	}
	return lexer.Token{Type: wordToken, Value: word, Pos: position}, nil
}
