package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
)

// A phase is the point of the conversation at which a mode misbehaves.
type phase string

const (
	atStart phase = "start"
	atSetup phase = "setup"
	atMove1 phase = "move1"
	atMove5 phase = "move5"
	atEnd   phase = "end"
)

// A reply says what an act leaves to the honest player.
type reply int

const (
	answered reply = iota // the act stood for the answer; honest from now on
	besides               // the act came on top: answer honestly too
	later                 // impossible in this position: answer honestly, try again at the next turn
)

// An act is one misbehaviour; n is the number given on the command line.
type act func(p *player, n int) reply

// A player is the honest program, with the places where a mode can change it.
type player struct {
	stdin          io.Reader
	in             *bufio.Reader
	stdout, stderr io.Writer
	seed           uint64
	random         *rand.Rand
	pids           string
	retry          bool

	cue         phase // when act happens; from there on it is tried every turn until it was possible
	act         act
	n           int
	style       func(w io.Writer, answer string) error // how an answer is written
	think       func()                                 // before every answer to (go …)
	leave       func()                                 // after end of file
	instead     func() int                             // of the whole honest player
	setUpNumber int                                    // the set-up it takes: -1 for any
	prepare     []step                                 // moves that make the act possible

	layout string // the set-up, as in setUps
	board  board
	seat   string
	turn   int // own turns so far
	owed   int // answers given before they were asked for

	talk  *talk  // the conversation of another game; nil: Luzhanqi's
	chair int    // the seat in it, from 0
	reply string // what to answer in it, if that depends on the question
}

func newPlayer(seed uint64, stdin io.Reader, stdout, stderr io.Writer) *player {
	return &player{
		stdin:       stdin,
		in:          bufio.NewReader(stdin),
		stdout:      stdout,
		stderr:      stderr,
		seed:        seed,
		random:      rand.New(rand.NewPCG(seed, 0)),
		style:       wholeLine,
		think:       func() {},
		leave:       func() {},
		setUpNumber: -1,
	}
}

// wholeLine writes the answer and its newline at once.
func wholeLine(w io.Writer, answer string) error {
	_, err := io.WriteString(w, answer+"\n")
	return err
}

// say loses write errors: a closed pipe shows as end of file on standard input as well.
func (p *player) say(answer string) { _ = p.style(p.stdout, answer) }

// raw writes without the mode's style and without a newline, in one write.
func (p *player) raw(text string) { _, _ = io.WriteString(p.stdout, text) }

// play is the conversation up to end of file. It returns the exit status.
func (p *player) play() int {
	p.perhaps(atStart)
	for {
		words, err := p.read()
		if errors.Is(err, io.EOF) {
			p.leave()
			return 0
		}
		if err == nil {
			err = p.hear(words)
		}
		if err != nil {
			fmt.Fprintf(p.stderr, "hostile: %v\n", err)
			return exitProtocol
		}
	}
}

// read returns the words of the next expression without its parentheses: no message of the referee needs them.
func (p *player) read() ([]string, error) {
	var text strings.Builder
	for depth := 0; ; {
		c, err := p.in.ReadByte()
		if err != nil {
			if depth > 0 {
				return nil, fmt.Errorf("end of file inside %q", text.String())
			}
			return nil, io.EOF
		}
		switch {
		case c == '(':
			depth++
			text.WriteByte(' ')
		case depth == 0 && c > ' ':
			return nil, fmt.Errorf("found %q where the referee should start an expression", c)
		case c == ')':
			if depth--; depth == 0 {
				return strings.Fields(text.String()), nil
			}
			text.WriteByte(' ')
		default:
			text.WriteByte(c)
		}
	}
}

func (p *player) hear(words []string) error {
	if len(words) == 0 {
		return errors.New("the referee sent ()")
	}
	switch words[0] {
	case "init":
		if len(words) != 4 || (words[1] != "1" && words[1] != "2") || words[2] != "time/move" {
			return fmt.Errorf("expected (init 1|2 time/move SECONDS), found %q", words)
		}
		p.seat = words[1]
		p.random = rand.New(rand.NewPCG(p.seed, uint64(p.seat[0]))) // the same seed must not make both seats play alike
		p.ask(atSetup, func() { p.say(p.setUp()) })
	case "go":
		if len(words) != 2 {
			return fmt.Errorf("expected (go 1|2), found %q", words)
		}
		if words[1] == p.seat {
			p.turn++
			p.ask(p.movePhase(), p.answer)
		}
	case "outcome":
		return p.learn(words[1:])
	case "illegal":
		if p.retry {
			p.answer()
		}
	case "flag":
	case "end":
		if len(words) != 2 {
			return fmt.Errorf("expected (end 0|1|2), found %q", words)
		}
		p.perhaps(atEnd)
	default:
		return fmt.Errorf("the referee sent an unknown message %q", words)
	}
	return nil
}

// ask lets the act happen if its moment has come, and answers honestly unless that stood for the answer.
func (p *player) ask(now phase, honestly func()) {
	if p.owed > 0 {
		p.owed--
		return
	}
	if p.perhaps(now) != answered {
		honestly()
	}
}

// movePhase names this turn; an act which was impossible at its phase keeps its chance.
func (p *player) movePhase() phase {
	if first := p.firstTurn(); first > 0 && p.turn >= first {
		return p.cue
	}
	return ""
}

// firstTurn is the turn at which the act is first tried, 0 if it does not belong to a turn.
func (p *player) firstTurn() int {
	return map[phase]int{atMove1: 1, atMove5: 5}[p.cue]
}

func (p *player) perhaps(now phase) reply {
	if p.act == nil || p.cue != now {
		return besides
	}
	r := p.act(p, p.n)
	if r != later {
		p.act = nil
	}
	return r
}

// answer is an honest move. Whoever cannot move resigns.
func (p *player) answer() {
	p.think()
	if p.talk != nil {
		p.say(p.talk.honest(p))
		return
	}
	s, ok := p.choose()
	if !ok {
		p.say("(resign)")
		return
	}
	p.say(s.String())
}

// choose prefers to capture, then to advance, each three times out of four, so that games come to an end.
func (p *player) choose() (step, bool) {
	if len(p.prepare) > 0 && p.turn >= p.firstTurn()-len(p.prepare) {
		next := p.prepare[0]
		p.prepare = p.prepare[1:]
		if p.board.legalStep(next) {
			return next, true
		}
	}
	all := p.board.steps()
	if len(all) == 0 {
		return step{}, false
	}
	prefer := func(better func(step) bool) {
		var some []step
		for _, s := range all {
			if better(s) {
				some = append(some, s)
			}
		}
		if len(some) > 0 && p.random.IntN(4) > 0 {
			all = some
		}
	}
	prefer(func(s step) bool { return s.to.row() > s.from.row() })
	prefer(func(s step) bool { return p.board.enemy[s.to] })
	return all[p.random.IntN(len(all))], true
}

// learn applies (outcome [SIGN] (FROM TO)).
func (p *player) learn(words []string) error {
	sign := ""
	if len(words) == 3 {
		sign, words = words[0], words[1:]
	}
	if len(words) != 2 || !slices.Contains([]string{"", "<", "=", ">"}, sign) {
		return fmt.Errorf("expected (outcome [<|=|>] (FROM TO)), found %q", words)
	}
	from, err := parseSquare(words[0])
	if err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	to, err := parseSquare(words[1])
	if err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	if err := p.board.settle(sign, step{from, to}); err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	return nil
}

// setUps are legal ones, each in its own frame, as square:piece.
var setUps = []string{
	"A1:3 A2:7 A3:5 A4:6 A5:2 A6:5 B1:2 B2:L B4:3 B6:4 C1:3 C2:B C3:4 C5:7 C6:1 D1:F D2:L D4:1 D6:8 E1:L E2:2 E3:9 E4:B E5:1 E6:6",
	"A1:L A2:5 A3:2 A4:B A5:2 A6:1 B1:L B2:3 B4:9 B6:1 C1:L C2:4 C3:3 C5:7 C6:1 D1:F D2:4 D4:B D6:3 E1:5 E2:2 E3:6 E4:6 E5:7 E6:8",
	"A1:5 A2:L A3:1 A4:9 A5:3 A6:4 B1:F B2:1 B4:3 B6:2 C1:B C2:6 C3:7 C5:8 C6:1 D1:L D2:7 D4:3 D6:6 E1:L E2:B E3:2 E4:2 E5:4 E6:5",
	"A1:5 A2:9 A3:4 A4:5 A5:8 A6:1 B1:L B2:L B4:1 B6:2 C1:3 C2:6 C3:7 C5:B C6:3 D1:F D2:7 D4:2 D6:4 E1:L E2:6 E3:B E4:2 E5:3 E6:1",
}

// setUp chooses the set-up once, lays the board, and returns the expression.
func (p *player) setUp() string {
	if p.layout == "" {
		n := p.setUpNumber
		if n < 0 {
			n = p.random.IntN(len(setUps))
		}
		p.layout = setUps[n]
		p.board = newBoard(pieces(p.layout))
	}
	return setUpExpression(strings.Fields(p.layout))
}

// pieces reads a layout of ours.
func pieces(layout string) (own [squares]byte) {
	for _, entry := range strings.Fields(layout) {
		name, piece, _ := strings.Cut(entry, ":")
		s, err := parseSquare(name)
		if err != nil {
			panic(err)
		}
		own[s] = piece[0]
	}
	return own
}

// setUpExpression prints entries as they are: an illegal set-up goes the same way.
func setUpExpression(entries []string) string {
	var list []string
	for _, entry := range entries {
		list = append(list, "("+strings.Replace(entry, ":", " ", 1)+")")
	}
	return "(" + strings.Join(list, " ") + ")"
}
