package chess1d

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"luzhanqi/game"
	"luzhanqi/text"
)

// protocol is the only conversation: a program is started anew for every answer. Programs differ in
// the codes that they take for "place your pieces" and "move", and in where they read them.
type protocol struct {
	game.ProtocolDefaults
	name       string // of the built-in adapter; empty: read from a file
	setUp      string // the code that asks for a set-up
	move       string // the code that asks for a move
	asArgument bool   // the question is arguments and not standard input
}

var (
	standard    = protocol{name: "stdin", setUp: "0", move: "1"}
	byArguments = protocol{name: "arguments", setUp: "0", move: "1", asArgument: true}
)

var _ game.Adaptable = protocol{}

func (protocol) Name() string    { return "oneshot" }
func (protocol) Kind() game.Kind { return game.OneShot }

func (protocol) Summary() string {
	return "a new process for every answer: 0 asks for six characters, 1 and a line of fifteen for a move such as 24"
}

func (p protocol) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return &refereeEnd{protocol: p, side: side}
}

type refereeEnd struct {
	protocol
	side  game.Side
	asked game.AnswerKind
}

var _ game.OneShotEnd = (*refereeEnd)(nil)

// Tell says nothing: a program learns of the game only from the board it is asked about.
func (*refereeEnd) Tell(game.Event, game.View) [][]byte { return nil }

// Question returns the code and, for a move, the board as the side sees it.
func (r *refereeEnd) Question(kind game.AnswerKind, v game.View) (arguments []string, input []byte) {
	r.asked = kind
	lines := []string{r.setUp}
	if kind != game.AnswerSetUp {
		lines = []string{r.move, v.(*View).Board().InFrame(r.side).String()}
	}
	if r.asArgument {
		return lines, nil
	}
	for _, line := range lines {
		input = append(append(input, line...), '\n')
	}
	return nil, input
}

// maxAnswer bounds an answer, in bytes; it is far above the longest legal one.
const maxAnswer = 1 << 10

// Scan reads the whole output of one process. An empty output is no answer and no error: the caller
// knows better why the process ended without writing.
func (r *refereeEnd) Scan(buf []byte, eof bool) (n int, a game.Answer, err error) {
	switch {
	case len(buf) > maxAnswer:
		return 0, a, fmt.Errorf("%w, where %s", &game.TooLongError{Max: maxAnswer}, r.allowed())
	case !eof || len(buf) == 0:
		return 0, a, nil
	}
	if r.asked == game.AnswerSetUp {
		a, err = readSetUp(buf)
	} else {
		a, err = readMove(buf, r.side)
	}
	if err != nil {
		err = &game.UnreadableError{Found: string(text.Prefix(buf, 60)), Err: fmt.Errorf("%w; %s", err, r.allowed())}
	}
	return len(buf), a, err
}

func (r *refereeEnd) allowed() string {
	if r.asked == game.AnswerSetUp {
		return "a set-up is exactly six characters (blanks are squares), then at most a newline"
	}
	return "a move is two of the digits 0 to 9 and a to e, each with at most a newline after it"
}

// cutNewline removes one newline, LF or CR LF, from the start of text.
func cutNewline(text []byte) []byte {
	rest, _ := bytes.CutPrefix(text, []byte("\r"))
	if rest, ok := bytes.CutPrefix(rest, []byte("\n")); ok {
		return rest
	}
	return text
}

// readSetUp takes six characters as they are, after which a newline may stand; the rules judge them.
// Blanks count, and so does a carriage return that belongs to no newline.
func readSetUp(text []byte) (a game.Answer, err error) {
	line, rest := text, []byte(nil)
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		line, rest = bytes.TrimSuffix(text[:end], []byte("\r")), text[end+1:]
	}
	switch found := utf8.RuneCount(line); {
	case !utf8.Valid(line):
		return a, errors.New("it is not UTF-8")
	case found != Own:
		return a, fmt.Errorf("the first line has %d characters", found)
	case len(rest) > 0:
		return a, fmt.Errorf("%q follows the set-up and its newline", rest[0])
	}
	return game.Answer{Kind: game.AnswerSetUp, SetUp: game.SetUp(line)}, nil
}

// readMove reads [0-9a-e]\n?[0-9a-e]\n? and nothing else.
func readMove(text []byte, side game.Side) (a game.Answer, err error) {
	var squares [2]game.Square
	for n := range squares {
		if len(text) == 0 {
			return a, errors.New("it ends too early")
		}
		sq, ok := parseSquare(text[0])
		if !ok {
			return a, fmt.Errorf("%q is no square", text[0])
		}
		squares[n], text = sq, cutNewline(text[1:])
	}
	if len(text) > 0 {
		return a, fmt.Errorf("%q follows the move", text[0])
	}
	m := Game{}.InFrame(game.Move{From: squares[0], To: squares[1]}, side)
	return game.Answer{Kind: game.AnswerMove, Move: m}, nil
}

func (p protocol) PlayerEnd(rules game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	return &playerEnd{protocol: p, noMovesDraws: noMovesDraws(rules), limit: limit}
}

func (protocol) Adapters() []string { return []string{standard.name, byArguments.name} }

func (p protocol) Adapter(name string) (game.Protocol, error) {
	for _, adapted := range []protocol{standard, byArguments} {
		if adapted.name == name {
			return adapted, nil
		}
	}
	return nil, fmt.Errorf("adapter %.40q: allowed are %s", name, strings.Join(p.Adapters(), ", "))
}

// maxCode is far above any code that a program could want.
const maxCode = 80

// ReadAdapter reads an adapter; the README of this folder shows one with all keys.
func (protocol) ReadAdapter(text []byte) (game.Protocol, error) {
	keys := struct {
		SetUp string `toml:"setup"`
		Move  string `toml:"move"`
		Input string `toml:"input"`
	}{standard.setUp, standard.move, standard.name}
	if err := game.DecodeAdapter(text, &keys, "allowed are setup, move and input"); err != nil {
		return nil, err
	}
	p := protocol{setUp: keys.SetUp, move: keys.Move}
	switch keys.Input {
	case standard.name:
	case byArguments.name:
		p.asArgument = true
	default:
		return nil, fmt.Errorf("adapter: input = %.40q: allowed are %q and %q", keys.Input, standard.name, byArguments.name)
	}
	for name, code := range map[string]string{"setup": p.setUp, "move": p.move} {
		if err := checkCode(code); err != nil {
			return nil, fmt.Errorf("adapter: %s = %.40q: %w", name, code, err)
		}
	}
	if p.setUp == p.move {
		return nil, fmt.Errorf("adapter: setup and move are both %.40q; a program must be able to tell them apart", p.setUp)
	}
	return p, nil
}

// Recognised is nothing: an answer is the whole output, so there is nothing to be found in it.
func (protocol) Recognised([]byte) []string { return nil }

func checkCode(code string) error {
	if code == "" || len(code) > maxCode {
		return fmt.Errorf("a code has 1 to %d bytes", maxCode)
	}
	if strings.ContainsFunc(code, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("a code is one line without control characters")
	}
	return nil
}

// playerEnd answers once, since our own player too is a process for each question. It takes itself for
// player 1: it is never told which it is, and sees itself on the left either way.
type playerEnd struct {
	protocol
	noMovesDraws bool
	limit        time.Duration
	view         *View
	answered     bool
}

func (p *playerEnd) View() game.View {
	if p.view == nil {
		return nil // not a nil *View in an interface
	}
	return p.view
}

func (p *playerEnd) Limit() time.Duration { return p.limit }

// Scan reads a code and, if it asks for a move, the board on the line after it, whose blanks are squares.
func (p *playerEnd) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	if p.answered {
		return 0, game.PromptEnd, nil
	}
	code, n := game.Line(buf, eof)
	switch {
	case n == 0 && len(buf) > maxAnswer:
		return len(buf), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxAnswer)
	case n == 0:
		return 0, game.PromptNone, nil
	case string(code) == p.setUp:
		return n, game.PromptSetUp, nil
	case string(code) != p.move:
		return n, game.PromptNone, fmt.Errorf("line %.40q: allowed are %s and %s", code, p.setUp, p.move)
	}
	text, more := game.Line(buf[n:], eof)
	switch {
	case more == 0 && len(buf) > maxAnswer:
		return len(buf), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxAnswer)
	case more == 0:
		return 0, game.PromptNone, nil
	}
	n += more
	b, err := ParseBoard(string(text))
	if err != nil {
		return n, game.PromptNone, err
	}
	p.view = NewView(b, game.First, p.noMovesDraws)
	return n, game.PromptMove, nil
}

// Say writes an answer. A side that cannot move says nothing: there is no resigning here.
func (p *playerEnd) Say(a game.Answer) []byte {
	p.answered = true
	switch a.Kind {
	case game.AnswerSetUp:
		return append([]byte(a.SetUp), '\n')
	case game.AnswerMove:
		return append([]byte(MoveName(a.Move)), '\n')
	}
	return nil
}
