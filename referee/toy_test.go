package referee_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// toy is a game for tests: a pile of stones, of which each side takes one or two; who takes the last
// has won. A move goes from the size of the pile to what is left of it.
type toy struct{ pile int }

const toyPile = 6

func (toy) Name() string                            { return "toy" }
func (toy) Title() string                           { return "Toy" }
func (toy) Options() []game.Option                  { return nil }
func (toy) HasSetUp() bool                          { return false }
func (toy) ParseSetUp(string) (game.SetUp, error)   { return "", errors.New("no set-ups") }
func (toy) CheckSetUp(game.SetUp) error             { return nil }
func (toy) RandomSetUp(*rand.Rand) game.SetUp       { return "" }
func (toy) Analyse(game.Rules, []byte) (any, error) { return nil, errors.New("not here") }

func (toy) Limits() game.Limits {
	return game.Limits{SetUp: time.Minute, Move: time.Minute, Start: time.Minute, Grace: time.Second}
}

func (toy) Protocols() []game.Protocol {
	return []game.Protocol{toyLines{}, toyOneShot{}, toyConsole{}, toyConsole{terminal: true}}
}

func (g toy) New(game.Rules, [2]game.SetUp) (game.Position, error) {
	if g.pile == 0 {
		g.pile = toyPile
	}
	return toyPosition{left: g.pile}, nil
}

func (toy) FormatMove(m game.Move) string { return fmt.Sprintf("%d %d", m.From, m.To) }

func (toy) ParseMove(text string) (m game.Move, err error) {
	from, to, ok := strings.Cut(text, " ")
	a, err1 := strconv.ParseUint(from, 10, 8)
	b, err2 := strconv.ParseUint(to, 10, 8)
	if !ok || err1 != nil || err2 != nil {
		return m, fmt.Errorf("move %q: allowed are two numbers", text)
	}
	return game.Move{From: game.Square(a), To: game.Square(b)}, nil
}

type toyPosition struct{ left, ply int }

func (p toyPosition) Mover() game.Side           { return game.Side(p.ply % 2) }
func (p toyPosition) Ply() int                   { return p.ply }
func (p toyPosition) View(s game.Side) game.View { return toyView{p, s} }

func (p toyPosition) Check(m game.Move) error {
	if taken := p.left - int(m.To); int(m.From) != p.left || taken < 1 || taken > 2 {
		return fmt.Errorf("from %d to %d: there are %d stones, and one or two are taken", m.From, m.To, p.left)
	}
	return nil
}

func (p toyPosition) Moves(dst []game.Move) []game.Move {
	for taken := 1; taken <= min(2, p.left); taken++ {
		dst = append(dst, game.Move{From: game.Square(p.left), To: game.Square(p.left - taken)})
	}
	return dst
}

func (p toyPosition) Play(m game.Move) game.Position { return toyPosition{int(m.To), p.ply + 1} }

func (p toyPosition) Outcome() (game.Outcome, bool) {
	return game.Won(p.Mover().Other(), "the last stone is taken"), p.left == 0
}

func (p toyPosition) Draw(game.DrawStyle) string { return fmt.Sprintf("%d stones", p.left) }

type toyView struct {
	toyPosition
	side game.Side
}

func (v toyView) Side() game.Side { return v.side }

// toyProtocol is what the toy's protocols share: nobody plays it by them.
type toyProtocol struct{ game.ProtocolDefaults }

func (toyProtocol) Summary() string                                               { return "" }
func (toyProtocol) PlayerEnd(game.Rules, game.Side, time.Duration) game.PlayerEnd { return nil }

// toyAnswer reads "N", "N comment", "any" or "resign", with N what is left of the pile.
func toyAnswer(text string, pile int) (game.Answer, error) {
	word, comment, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch word {
	case "any":
		return game.Answer{Kind: game.AnswerAny, Comment: comment}, nil
	case "resign":
		return game.Answer{Kind: game.AnswerResign}, nil
	}
	left, err := strconv.ParseUint(word, 10, 8)
	if err != nil {
		return game.Answer{}, &game.UnreadableError{Found: word, Err: errors.New("allowed are a number, any and resign")}
	}
	return game.Answer{Move: game.Move{From: game.Square(pile), To: game.Square(left)}, Comment: comment}, nil
}

// toyLines asks with the size of the pile on a line, and is answered with a line; 0 is the end.
type toyLines struct{ toyProtocol }

func (toyLines) Name() string { return "lines" }
func (toyLines) RefereeEnd(s game.Side, _ game.Limits) game.RefereeEnd {
	return &toyLinesEnd{side: s}
}

type toyLinesEnd struct {
	side game.Side
	pile int
}

func (t *toyLinesEnd) Tell(e game.Event, v game.View) [][]byte {
	if e.Kind == game.EventEnd {
		return [][]byte{[]byte("0\n")}
	}
	if e.Kind != game.EventTurn || e.Side != t.side {
		return nil
	}
	t.pile = v.(toyView).left
	return [][]byte{fmt.Appendf(nil, "%d\n", t.pile)}
}

func (t *toyLinesEnd) Scan(buf []byte, _ bool) (n int, a game.Answer, err error) {
	n = bytes.IndexByte(buf, '\n') + 1
	if n > 0 {
		a, err = toyAnswer(string(buf[:n]), t.pile)
	}
	return n, a, err
}

// toyOneShot starts the program anew: the pile is an argument and the input.
type toyOneShot struct{ toyProtocol }

func (toyOneShot) Name() string                                      { return "anew" }
func (toyOneShot) Kind() game.Kind                                   { return game.OneShot }
func (toyOneShot) RefereeEnd(game.Side, game.Limits) game.RefereeEnd { return &toyOneShotEnd{} }

type toyOneShotEnd struct{ pile int }

func (*toyOneShotEnd) Tell(game.Event, game.View) [][]byte { return nil }

func (t *toyOneShotEnd) Question(_ game.AnswerKind, v game.View) ([]string, []byte) {
	t.pile = v.(toyView).left
	return []string{"stones", strconv.Itoa(t.pile)}, fmt.Appendf(nil, "%d\n", t.pile)
}

func (t *toyOneShotEnd) Scan(buf []byte, eof bool) (n int, a game.Answer, err error) {
	if !eof || len(buf) == 0 {
		return 0, a, nil
	}
	a, err = toyAnswer(string(buf), t.pile)
	return len(buf), a, err
}

// toyConsole talks to a program that believes in a person: it asks "number?" and says "I leave N".
type toyConsole struct {
	toyProtocol
	terminal bool
	prompt   string // what a question ends with; empty: "number? "
}

func (toyConsole) Kind() game.Kind { return game.Console }

func (t toyConsole) Terminal() bool { return t.terminal }

func (toyConsole) Recognised([]byte) []string { return nil }

func (t toyConsole) Name() string {
	if t.terminal {
		return "terminal"
	}
	return "talk"
}

func (toyConsole) Adapters() []string { return []string{"usual", "short"} }

func (t toyConsole) Adapter(name string) (game.Protocol, error) {
	switch name {
	case "usual":
	case "short":
		t.prompt = "? "
	default:
		return nil, fmt.Errorf("adapter %q: allowed are usual and short", name)
	}
	return t, nil
}

func (t toyConsole) ReadAdapter(text []byte) (game.Protocol, error) {
	if _, err := fmt.Sscanf(string(text), "prompt = %q", &t.prompt); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	return t, nil
}

func (t toyConsole) RefereeEnd(s game.Side, _ game.Limits) game.RefereeEnd {
	if t.prompt == "" {
		t.prompt = "number? "
	}
	return &toyConsoleEnd{side: s, prompt: []byte(t.prompt)}
}

type toyConsoleEnd struct {
	side   game.Side
	prompt []byte
	pile   int
	asked  int // how often, in this turn
}

func (t *toyConsoleEnd) Silence() time.Duration { return 60 * time.Millisecond }

func (t *toyConsoleEnd) Tell(e game.Event, v game.View) [][]byte {
	if e.Kind == game.EventTurn && e.Side == t.side {
		t.pile, t.asked = v.(toyView).left, 0
	}
	return nil
}

var toyLeaves = regexp.MustCompile(`I leave (\d+)`)

// Scan takes a move only when its line is whole: there may be another digit.
func (t *toyConsoleEnd) Scan(buf []byte, _ bool) (n int, a game.Answer, err error) {
	if i := bytes.LastIndexByte(buf, '\n'); t.asked > 0 {
		return t.move(buf[:i+1])
	}
	return 0, a, nil
}

func (t *toyConsoleEnd) move(buf []byte) (n int, a game.Answer, err error) {
	found := toyLeaves.FindSubmatchIndex(buf)
	if found == nil {
		return 0, a, nil
	}
	a, err = toyAnswer(string(buf[found[2]:found[3]]), t.pile)
	return found[1], a, err
}

func (t *toyConsoleEnd) Silent(buf []byte, last bool) (n int, typed []byte, a game.Answer, found bool, err error) {
	if t.asked > 0 {
		if n, a, err = t.move(buf); n > 0 || err != nil {
			return n, nil, a, true, err
		}
	}
	if !bytes.HasSuffix(buf, t.prompt) {
		return 0, nil, a, false, nil
	}
	if t.asked++; t.asked > 1 {
		return 0, nil, a, false, &game.UnreadableError{Found: string(buf), Err: errors.New("it asks again, so it refused what it was told")}
	}
	return len(buf), fmt.Appendf(nil, "%d\n", t.pile), a, false, nil
}

// expect is how a game is to end, and what its reason is to contain.
type expect struct {
	code   referee.Code
	winner string
	reason string
}

func (want expect) check(t *testing.T, e *referee.Ending) {
	t.Helper()
	winner := "0"
	if e.Winner != nil {
		winner = e.Winner.String()
	}
	if e.Code != want.code || winner != want.winner || !strings.Contains(e.Reason, want.reason) {
		t.Errorf("%s, winner %s: %s\nlast lines %q\nwant %s, %s: %s", e.Code, winner, e.Reason, e.LastLines, want.code, want.winner, want.reason)
	}
}

// judgeText judges a record of a toy.
func judgeText(pile int, text string) (*record.Replay, error) {
	return record.Read(strings.NewReader(text), func(string) (game.Game, error) { return toy{pile}, nil })
}
