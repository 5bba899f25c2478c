package jungle

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"luzhanqi/game"
)

// lines is the conversation of the public referee. It is told line by line: the color; then for
// each turn the opponent's last move, how many moves there are, and the moves. The answer is a line.
type lines struct{ game.ProtocolDefaults }

func (lines) Name() string { return "lines" }

func (lines) Summary() string {
	return "the public referee's lines: red; -1 -1 -1 -1; 24; 0 6 1 6; …; and 1 7 1 6 with a comment, or random, back"
}

func (lines) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return &refereeEnd{side: side & 1}
}

func (lines) PlayerEnd(rules game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	return &playerEnd{reading: reading(rules), limit: limit}
}

type refereeEnd struct {
	side    game.Side
	begun   bool   // the color was sent
	opening []byte // lines before the color
	text    []byte
	moves   []game.Move
	message [1][]byte
}

// Open has an opening told, before the color: a line "position", who is to move and the units, a line "opening" and a move for each.
func (r *refereeEnd) Open(o game.Opening, start game.Position) {
	if p, ok := start.(*Position); ok {
		r.opening = fmt.Appendf(r.opening, "%s%s %s\n", positionWord, Color(p.Mover()), p.board.String())
	}
	for _, m := range o.Moves {
		r.opening = appendMove(append(r.opening, openingWord...), m)
	}
}

// Tell speaks to the mover only, when it is to move; and to a side that has lost for having no move
// left, which is sent its turn all the same. A whole turn is one message, and the first one begins
// with the color: programs exist that lose what comes in a second read.
func (r *refereeEnd) Tell(e game.Event, view game.View) [][]byte {
	v, ok := view.(*View)
	if !ok || v.Mover() != r.side {
		return nil
	}
	r.moves = v.Moves(r.moves[:0])
	switch e.Kind {
	case game.EventTurn:
	case game.EventEnd:
		if _, entered := v.board.Winner(); entered || len(r.moves) > 0 {
			return nil
		}
	default:
		return nil
	}
	r.text = r.text[:0]
	if !r.begun {
		r.begun = true
		r.text = append(append(append(r.text, r.opening...), Color(r.side)...), '\n')
	}
	r.text = appendTurn(r.text, v, r.moves)
	r.message[0] = r.text
	return r.message[:]
}

func appendTurn(text []byte, v *View, moves []game.Move) []byte {
	if last, ok := v.LastMove(); ok {
		text = appendMove(text, last)
	} else {
		text = append(text, noMove+"\n"...)
	}
	text = append(strconv.AppendInt(text, int64(len(moves)), 10), '\n')
	for _, m := range moves {
		text = appendMove(text, m)
	}
	return text
}

// The words of the extension for openings.
const (
	openingWord  = "opening "
	positionWord = "position "
)

// noMove is the opponent's last move when there was none.
const noMove = "-1 -1 -1 -1"

func appendMove(text []byte, m game.Move) []byte {
	x1, y1 := XY(m.From)
	x2, y2 := XY(m.To)
	return append(text, '0'+byte(x1), ' ', '0'+byte(y1), ' ', '0'+byte(x2), ' ', '0'+byte(y2), '\n')
}

// maxAnswer bounds an answer, in bytes; a move and a comment need far less.
const maxAnswer = 4 << 10

// Scan reads one line. The last one may lack its end.
func (r *refereeEnd) Scan(buf []byte, eof bool) (int, game.Answer, error) {
	line, n := game.Line(buf, eof)
	switch {
	case len(line) > maxAnswer || n == 0 && len(buf) > maxAnswer:
		return n, game.Answer{}, &game.TooLongError{Max: maxAnswer}
	case n == 0:
		return 0, game.Answer{}, nil
	}
	a, err := parseAnswer(string(line))
	return n, a, err
}

const (
	anyMove    = "random" // the answer of a program that leaves the choice to the referee
	maxComment = 50       // characters, as written
)

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
			Found: fmt.Sprintf("%.60s", line),
			Err:   fmt.Errorf("%w; then perhaps one blank and a comment; or the word %s", err, anyMove),
		}
	}
	a := game.Answer{Kind: game.AnswerMove, Move: m}
	if rest != "" {
		a.Comment = readComment(rest[1:])
	}
	return a, nil
}

// readComment cuts what was written, and then turns each backslash with an n into a new line.
// Control characters and bytes that are not UTF-8 become �, since people see comments on a terminal.
func readComment(text string) string {
	text = strings.ReplaceAll(fmt.Sprintf("%.*s", maxComment, text), `\n`, "\n")
	return mapUnprintable(text, unicode.ReplacementChar)
}

// writeComment is the inverse of readComment.
func writeComment(text string) string {
	return fmt.Sprintf("%.*s", maxComment, strings.ReplaceAll(mapUnprintable(text, -1), "\n", `\n`))
}

// mapUnprintable puts another character, or none at -1, in the place of each that cannot be shown.
func mapUnprintable(text string, other rune) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return other
		}
		return r
	}, text)
}
