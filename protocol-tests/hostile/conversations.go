package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A talk is the honest program in the conversation of another game. It knows no rules: its pieces go to
// and fro on squares where nobody meets them, which is legal as long as the other program does the same.
// A mode that misbehaves does so at the same phases; only a talk that has set-ups knows the phase setup.
type talk struct {
	name string
	// next reads up to the next question; io.EOF is the end of the input.
	next func(p *player) (phase, error)
	// moves are those of either seat, in the frame of its program, to be repeated from the start.
	moves [2][]string
	setUp string // its answer at the phase setup, if there is one
	once  bool   // a process for each question
}

var talks = []talk{
	{name: "jungle", next: nextOfJungle, moves: [2][]string{{"0 6 0 5", "0 5 0 6"}, {"0 2 0 3", "0 3 0 2"}}},
	{name: "gastank", next: nextOfLines("first"), moves: [2][]string{knights, knights}},
	{name: "gastank-console", next: nextAtTerminal, moves: [2][]string{knightsAbove, knightsAbove}},
	{name: "quagmire", next: nextOfLines("O"), moves: [2][]string{{"d1 e1", "a4 a5", "e1 d1", "a5 a4"}, {"e8 d8", "h5 h4", "d8 e8", "h4 h5"}}},
	{name: "chess1d", next: nextOfProcess, setUp: "kst  c", once: true},
}

// knights of GasTank chess have gas for three moves each: twelve plies in all.
var (
	knights      = []string{"D2B3", "B3A1", "A1B3", "F2H3", "H3G1", "G1H3"}
	knightsAbove = []string{"D6B5", "B5A7", "A7B5", "F6H5", "H5G7", "G7H5"}
)

func findTalk(name string) (*talk, error) {
	var names []string
	for i := range talks {
		if talks[i].name == name {
			return &talks[i], nil
		}
		names = append(names, talks[i].name)
	}
	return nil, fmt.Errorf("unknown talk %q: allowed are %s", name, strings.Join(names, ", "))
}

// converse is the conversation up to end of file. It returns the exit status.
func (p *player) converse() int {
	p.perhaps(atStart)
	if p.talk.name == "gastank-console" {
		p.raw("Do you want to move first or second? ")
	}
	for {
		now, err := p.talk.next(p)
		switch {
		case errors.Is(err, io.EOF):
			p.perhaps(atEnd)
			p.leave()
			return 0
		case err != nil:
			fmt.Fprintf(p.stderr, "hostile: %v\n", err)
			return exitProtocol
		case now == atSetup:
			p.ask(now, p.answer)
		default:
			p.turn++
			p.ask(p.movePhase(), p.answer)
		}
	}
}

// honest returns the answer of the honest program.
func (t *talk) honest(p *player) string {
	switch {
	case p.turn == 0:
		return t.setUp
	case p.reply != "":
		return p.reply
	}
	list := t.moves[p.chair]
	move := list[(p.turn-1)%len(list)]
	if t.name == "gastank-console" {
		return "I move: " + move + "\nYour move:"
	}
	return move
}

// line reads a line without its end.
func (p *player) line() (string, error) {
	text, err := p.in.ReadString('\n')
	if err != nil {
		return "", io.EOF
	}
	return strings.TrimRight(text, "\r\n"), nil
}

// nextOfJungle reads the color, once, the last move, how many moves there are, and the moves.
func nextOfJungle(p *player) (phase, error) {
	if p.seat == "" {
		color, err := p.line()
		if err != nil {
			return "", err
		}
		if p.chair = slices.Index([]string{"red", "blue"}, color); p.chair < 0 {
			return "", fmt.Errorf("expected red or blue, found %q", color)
		}
		p.seat = color
	}
	if _, err := p.line(); err != nil {
		return "", err
	}
	text, err := p.line()
	if err != nil {
		return "", err
	}
	count, err := strconv.Atoi(text)
	if err != nil {
		return "", fmt.Errorf("expected how many moves there are, found %q", text)
	}
	for range count {
		if _, err := p.line(); err != nil {
			return "", err
		}
	}
	return atMove1, nil
}

// nextOfLines reads who we are, once, and the opponent's move; before the very first there is none.
func nextOfLines(first string) func(*player) (phase, error) {
	return func(p *player) (phase, error) {
		if p.seat == "" {
			who, err := p.line()
			if err != nil {
				return "", err
			}
			if p.seat = who; who == first {
				return atMove1, nil
			}
			p.chair = 1
		}
		_, err := p.line()
		return atMove1, err
	}
}

// nextAtTerminal reads who moves first, once, and what the person types.
func nextAtTerminal(p *player) (phase, error) {
	if p.seat == "" {
		who, err := p.line()
		if err != nil {
			return "", err
		}
		if p.seat = who; who == "second" {
			return atMove1, nil
		}
		p.raw("Your move:")
	}
	_, err := p.line()
	return atMove1, err
}

// nextOfProcess reads the only question that there is. Its trickster goes round in three moves.
func nextOfProcess(p *player) (phase, error) {
	if p.seat != "" {
		return "", io.EOF
	}
	p.seat = "once"
	code, err := p.line()
	if err != nil {
		return "", err
	}
	if code == "0" {
		return atSetup, nil
	}
	board, err := p.line()
	if err != nil {
		return "", err
	}
	at := strings.IndexByte(board, 't')
	to, found := map[int]int{2: 4, 4: 3, 3: 2}[at]
	if !found {
		return "", fmt.Errorf("expected the trickster on 2, 3 or 4, found %q", board)
	}
	p.reply = fmt.Sprintf("%d%d", at, to)
	return atMove1, nil
}
