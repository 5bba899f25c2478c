package chess1d

import (
	"bytes"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"luzhanqi/game"
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

func (protocol) Name() string { return "oneshot" }

func (protocol) Kind() game.Kind { return game.OneShot }

func (protocol) Summary() string {
	return "a new process for every answer: 0 asks for six characters, 1 and a line of fifteen for a move such as 24"
}

func (p protocol) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return &referee{protocol: p, side: side}
}

// referee is the referee's end.
type referee struct {
	protocol
	side  game.Side
	asked game.AnswerKind
}

var _ game.OneShotEnd = (*referee)(nil)

// Tell says nothing: a program learns of the game only from the board it is asked about.
func (*referee) Tell(game.Event, game.View) [][]byte { return nil }

// Question returns the code and, for a move, the board as the side sees it.
func (r *referee) Question(kind game.AnswerKind, v game.View) (arguments []string, input []byte) {
	r.asked = kind
	lines := []string{r.setUp}
	if kind != game.AnswerSetUp {
		lines = []string{r.move, v.(*View).Board().In(r.side).String()}
	}
	if r.asArgument {
		return lines, nil
	}
	for _, line := range lines {
		input = append(append(input, line...), '\n')
	}
	return nil, input
}

// maxAnswer is far above the longest answer, and bounds what is waited for.
const maxAnswer = 1 << 10

// Scan judges all that one process wrote. Nothing at all is no answer, and no error either: whoever
// waited knows better than we do why the process ended without a word.
func (r *referee) Scan(buf []byte, eof bool) (n int, a game.Answer, err error) {
	switch {
	case len(buf) > maxAnswer:
		return 0, a, fmt.Errorf("%w: more than %d bytes, where %s", game.ErrTooLong, maxAnswer, r.allowed())
	case !eof || len(buf) == 0:
		return 0, a, nil
	}
	if r.asked == game.AnswerSetUp {
		a, err = readSetUp(buf)
	} else {
		a, err = readMove(buf, r.side)
	}
	if err != nil {
		err = &game.UnreadableError{Found: string(buf[:min(len(buf), 60)]), Err: fmt.Errorf("%w; %s", err, r.allowed())}
	}
	return len(buf), a, err
}

func (r *referee) allowed() string {
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
	m := game.Move{From: squares[0], To: squares[1]}
	if side == game.Second {
		m = TurnMove(m)
	}
	return game.Answer{Kind: game.AnswerMove, Move: m}, nil
}

func (p protocol) PlayerEnd(rules game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	return &player{protocol: p, noMovesDraws: noMovesDraws(rules), limit: limit}
}
