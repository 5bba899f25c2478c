package jungle

import (
	"errors"
	"fmt"
	"slices"
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
	begun   bool // the color was sent
	opening []game.Move
	text    []byte
	moves   []game.Move
	message [1][]byte
}

// Open has an opening told: a line "opening" and a move for each, before the color.
func (r *refereeEnd) Open(o game.Opening) { r.opening = o.Moves }

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
		for _, m := range r.opening {
			r.text = appendMove(append(r.text, "opening "...), m)
		}
		r.text = append(append(r.text, Color(r.side)...), '\n')
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

// playerEnd is the player's end of the conversation. It keeps the board by playing its own moves and
// those it hears of, and compares the moves it is sent with its own.
type playerEnd struct {
	reading  Reading
	limit    time.Duration // of the command line; zero: the game's
	view     *View         // nil before the color
	expects  stage
	told     []game.Move // so far in this turn
	left     int         // moves of this turn that are still to come
	mismatch error       // how the referee differs from our rules, until it is reported
	reported bool        // a mismatch was met; only the first in a game is reported
}

// stage says which kind of line comes next.
type stage uint8

const (
	theColor stage = iota
	theLastMove
	theCount
	aMove
)

// maxHeard is far above the longest line and any number of moves that a referee has to say.
const maxHeard = 1 << 10

func (p *playerEnd) View() game.View {
	if p.view == nil {
		return nil // not a nil *View in an interface
	}
	return p.view
}

// Limit returns the command line's limit, else the game's.
func (p *playerEnd) Limit() time.Duration {
	switch {
	case p.limit > 0:
		return p.limit
	case p.view == nil:
		return Game{}.Limits().First
	}
	return Game{}.Limits().ForMove(p.view.Ply())
}

// Scan reads one line; blank ones are passed over. The conversation has no word for the end of the
// game: that the referee hangs up between two turns, or before the first, is it.
func (p *playerEnd) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	line, n := game.Line(buf, eof)
	switch {
	case n == 0 && len(buf) > maxHeard || len(line) > maxHeard:
		return max(n, maxHeard), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxHeard)
	case n == 0 && eof && (p.expects == theColor || p.expects == theLastMove):
		return 0, game.PromptEnd, nil
	case n == 0:
		return 0, game.PromptNone, nil
	}
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return n, game.PromptNone, nil
	}
	prompt, err = p.hear(strings.Join(words, " "))
	return n, prompt, err
}

func (p *playerEnd) hear(line string) (game.Prompt, error) {
	switch p.expects {
	case theColor:
		side, err := parseColor(line)
		if err != nil {
			return game.PromptNone, err
		}
		p.view = NewView(side, NewPosition(Start(p.reading), game.First))
		p.expects = theLastMove
	case theLastMove:
		if line != noMove {
			m, err := Game{}.ParseMove(line)
			if err != nil {
				return game.PromptNone, fmt.Errorf("the opponent's last move: %w", err)
			}
			p.play(m, p.view.side.Other())
		}
		p.expects = theCount
	case theCount:
		count, err := strconv.Atoi(line)
		if err != nil || count < 0 || count > maxHeard {
			return game.PromptNone, fmt.Errorf("number of moves %.20q: allowed are 0 to %d", line, maxHeard)
		}
		p.told, p.left, p.expects = p.told[:0], count, aMove
		return p.turn()
	case aMove:
		p.left--
		m, err := Game{}.ParseMove(line)
		if err != nil {
			p.noteMismatch(fmt.Errorf("one of my moves: %w", err))
		} else {
			p.told = append(p.told, m)
		}
		return p.turn()
	}
	return game.PromptNone, nil
}

// turn asks for a move when all of them were heard, and reports a mismatch.
func (p *playerEnd) turn() (game.Prompt, error) {
	if p.left > 0 {
		return game.PromptNone, nil
	}
	p.expects = theLastMove
	v := *p.view
	v.Turn, v.told = v.Of(v.side), nil
	if mine := v.Moves(nil); !slices.Equal(mine, p.told) {
		v.told = slices.Clone(p.told)
		p.noteMismatch(fmt.Errorf("my moves are not as I know them: told %d, %s; the board %s has %d, %s",
			len(p.told), moveNames(p.told), v.board.String(), len(mine), moveNames(mine)))
	}
	p.view = &v
	err := p.mismatch
	p.mismatch = nil
	if len(p.told) == 0 {
		return game.PromptEnd, err
	}
	return game.PromptMove, err
}

// noteMismatch keeps the first mismatch of a game for the end of the turn.
func (p *playerEnd) noteMismatch(err error) {
	if !p.reported {
		p.mismatch, p.reported = err, true
	}
}

// play follows a move of side. One that is not legal as we know the rules is followed as well as
// it can be: the referee has accepted it.
func (p *playerEnd) play(m game.Move, side game.Side) {
	v := *p.view
	v.told = nil
	err := errors.New("it is not the turn of " + Color(side))
	if v.Mover() == side {
		err = v.Check(m)
	}
	if err == nil {
		v.Position = *v.play(m)
	} else {
		p.noteMismatch(fmt.Errorf("a move of %s is not legal as I know the rules: %w", Color(side), err))
		v.force(m, side)
	}
	p.view = &v
}

// force plays a move that is not legal: what stands on its first square, if anything, takes what
// stands on its second.
func (p *Position) force(m game.Move, side game.Side) {
	if owner, k, ok := p.board.At(m.From); ok {
		p.board.Put(m.To, owner, k)
	}
	p.Turn = p.Of(side).After(m)
}

// Say writes an answer and, if it is a move, plays it. Any move is the first one, since the
// referee would not say which one it had drawn. The conversation has no word for resigning; a line
// that is no move loses at once.
func (p *playerEnd) Say(a game.Answer) []byte {
	switch {
	case p.view != nil && a.Kind == game.AnswerMove:
	case p.view != nil && a.Kind == game.AnswerAny:
		moves := p.view.Moves(nil)
		if len(moves) == 0 {
			return []byte(anyMove + "\n")
		}
		a.Move = moves[0]
	default:
		return []byte("resign\n")
	}
	p.play(a.Move, p.view.side)
	text := MoveName(a.Move)
	if a.Comment != "" {
		text += " " + writeComment(a.Comment)
	}
	return []byte(text + "\n")
}

// moveNames writes moves for people, cut to 400 characters.
func moveNames(moves []game.Move) string {
	var names []string
	for _, m := range moves {
		names = append(names, MoveName(m))
	}
	return fmt.Sprintf("%.400s", strings.Join(names, ", "))
}
