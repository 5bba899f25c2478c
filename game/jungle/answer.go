package jungle

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"luzhanqi/game"
)

const (
	anyMove     = "random" // the answer of a program that leaves the choice to the referee
	mostComment = 50       // characters, as written
)

// errForm says what an answer looks like.
var errForm = errors.New("allowed is a move such as 1 7 1 6: x1 y1 x2 y2 separated by single blanks, x 0 to 6 and y 0 to 8")

// parseAnswer reads one line without its end.
func parseAnswer(line string) (game.Answer, error) {
	if line == anyMove {
		return game.Answer{Kind: game.AnswerAny}, nil
	}
	m, rest, err := cutMove(line)
	if err == nil && rest != "" && rest[0] != ' ' {
		err = errForm
	}
	if err != nil {
		return game.Answer{}, &game.UnreadableError{
			Found: cut(line, 60),
			Err:   fmt.Errorf("%w; then perhaps one blank and a comment; or the word %s", err, anyMove),
		}
	}
	a := game.Answer{Kind: game.AnswerMove, Move: m}
	if rest != "" {
		a.Comment = readComment(rest[1:])
	}
	return a, nil
}

// cutMove reads the move at the start of text, and returns what follows it. The four numbers have
// one digit each, so the move has seven bytes.
func cutMove(text string) (m game.Move, rest string, err error) {
	if len(text) < 7 || text[1] != ' ' || text[3] != ' ' || text[5] != ' ' {
		return m, "", errForm
	}
	var xy [4]int
	for i := range xy {
		d := int(text[2*i]) - '0'
		if d < 0 || d > 9 {
			return m, "", errForm
		}
		if d > 8 || i%2 == 0 && d > 6 {
			return m, "", fmt.Errorf("%d is out of range: %w", d, errForm)
		}
		xy[i] = d
	}
	return game.Move{From: At(xy[0], xy[1]), To: At(xy[2], xy[3])}, text[7:], nil
}

// readComment cuts what was written, and then turns each backslash with an n into a new line.
// Control characters and what is not UTF-8 become �, since people see comments on a terminal.
func readComment(text string) string {
	text = strings.ReplaceAll(cut(text, mostComment), `\n`, "\n")
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// writeComment is what readComment reads.
func writeComment(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	return cut(strings.ReplaceAll(text, "\n", `\n`), mostComment)
}

// cut returns the first n characters of text; a byte that is not UTF-8 counts as one.
func cut(text string, n int) string {
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end]
}
