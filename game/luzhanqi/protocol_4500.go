package luzhanqi

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/sexpr"
)

// dialect4500 is the older conversation: side and limit on the command line, lines of words from
// the referee, S-expressions from the player, which speaks first. What its programs depend on was
// taken from four public ones and from the strings of the referee that they met: their parsers take
// single blanks and no empty lines only, and at most integer milliseconds are understood by all.
type dialect4500 struct{ game.ProtocolDefaults }

func (dialect4500) Name() string { return "4500" }

func (dialect4500) Summary() string {
	return "the older dialect: arguments --go 1 --time/move 1000ms, lines such as A6 B6 1 win, 1 Victory"
}

func (dialect4500) Arguments(side game.Side, limits game.Limits) []string {
	ms := max(1, (limits.Move+time.Millisecond-1)/time.Millisecond)
	return []string{"--go", side.String(), "--time/move", strconv.FormatInt(int64(ms), 10) + "ms"}
}

func (dialect4500) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return &refereeEnd4500{refereeEnd: refereeEnd{side: side}}
}

type refereeEnd4500 struct{ refereeEnd }

var words = [...]string{Quiet: "move", Win: "win", Loss: "loss", Tie: "tie"}

// Tell: there is no message for the beginning or for a turn; a line with the opponent's move is the
// prompt for the next one.
func (r *refereeEnd4500) Tell(e game.Event, v game.View) [][]byte {
	switch e.Kind {
	case game.EventMoved:
		return r.moved(v.(*View))
	case game.EventIllegal:
		return [][]byte{[]byte(refusal(e))}
	case game.EventEnd:
		who := "No"
		if !e.Draw {
			who = e.Winner.String()
		}
		return [][]byte{[]byte(who + " Victory\n")}
	}
	return nil
}

func (r *refereeEnd4500) moved(v *View) (messages [][]byte) {
	o, ok := v.Last()
	if !ok || o.Over { // the loser would answer the line that takes its flag
		return nil
	}
	for _, f := range o.Flags {
		messages = append(messages, fmt.Appendf(nil, "F %s\n", wireSquare(f.Square, r.side)))
	}
	m := wireMove(o.Move, r.side)
	return append(messages, fmt.Appendf(nil, "%s %s %v %s\n", m.From, m.To, o.Mover, words[o.Result]))
}

// refusal sorts our reasons into those this dialect knows.
func refusal(e game.Event) string {
	var setUp *IllegalSetUp
	if errors.As(e.Err, &setUp) {
		return "Invalid Board Setup\n"
	}
	reason := "Location Invalid"
	var illegal *IllegalMove
	if e.HasMove && errors.As(e.Err, &illegal) {
		switch {
		case illegal.Kind == NothingThere && !Headquarters.Has(e.Move.From):
			reason = "No Piece"
		case illegal.Kind == NeverMoves && !Headquarters.Has(e.Move.From):
			reason = "Piece not movable"
		default:
			reason = "From To Invalid"
		}
	}
	return "Invalid Board Move " + reason + "\n"
}

// forfeit resigns: a bare word, perhaps the last thing a program writes and without a newline.
const forfeit = "forfeit"

func (r *refereeEnd4500) Scan(buf []byte, eof bool) (n int, a game.Answer, err error) {
	text := bytes.TrimLeft(buf, " \t\r\n\v\f")
	blank := len(buf) - len(text)
	if rest, ok := bytes.CutPrefix(text, []byte(forfeit)); ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n\v\f("), rest[0]) >= 0) {
		return blank + len(forfeit), game.Answer{Kind: game.AnswerResign}, nil
	}
	if len(text) > 0 && bytes.HasPrefix([]byte(forfeit), text) && !eof {
		return 0, a, nil
	}
	n, a, err = r.scan(buf)
	if err == nil && n > 0 && a.Kind == game.AnswerResign {
		return n, a, &game.UnreadableError{Found: excerpt(text, 0), Err: errors.New("this dialect resigns by the word forfeit")}
	}
	return n, a, err
}

func (dialect4500) PlayerEnd(rules game.Rules, side game.Side, limit time.Duration) game.PlayerEnd {
	return &playerEnd4500{playerEnd: playerEnd{side: side, limit: limit, minesStay: minesStay(rules)}}
}

type playerEnd4500 struct {
	playerEnd
	opened bool // the first move, which nobody asks for, was asked for
}

// maxLine is far above the longest line of this dialect.
const maxLine = 1 << 10

func (p *playerEnd4500) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	if p.view == nil {
		return 0, game.PromptSetUp, nil
	}
	if p.side == game.First && !p.opened {
		p.opened = true
		return 0, game.PromptMove, nil
	}
	line, n := game.Line(buf, eof)
	switch {
	case n == 0 && len(buf) > maxLine:
		return len(buf), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxLine)
	case n == 0:
		return 0, game.PromptNone, nil
	}
	prompt, err = p.hear(strings.Fields(string(line)))
	return n, prompt, err
}

func (p *playerEnd4500) hear(line []string) (game.Prompt, error) {
	switch {
	case len(line) == 0:
		return game.PromptNone, nil
	case len(line) == 2 && line[1] == "Victory":
		return game.PromptEnd, nil
	case len(line) == 2 && line[0] == "F":
		name, err := sexpr.ParseSquare(line[1])
		if err != nil {
			return game.PromptNone, err
		}
		sq := fromWire(name, p.side)
		owner := game.First
		if !OwnHalf.Has(sq) {
			owner = game.Second
		}
		p.flag(owner, sq)
		return game.PromptNone, nil
	case len(line) == 4:
		return p.moved(line)
	case len(line) > 2 && line[0] == "Invalid" && line[2] == "Move":
		return p.refuse(), nil
	case line[0] == "Invalid":
		return game.PromptNone, errors.New(strings.Join(line, " "))
	}
	return game.PromptNone, fmt.Errorf("unknown line %.80q", strings.Join(line, " "))
}

func (p *playerEnd4500) moved(line []string) (game.Prompt, error) {
	from, err := sexpr.ParseSquare(line[0])
	if err != nil {
		return game.PromptNone, err
	}
	to, err := sexpr.ParseSquare(line[1])
	if err != nil {
		return game.PromptNone, err
	}
	mover, err := game.ParseSide(line[2])
	if err != nil {
		return game.PromptNone, err
	}
	for result, word := range words {
		if word == line[3] {
			p.outcome(mover, moveFromWire(sexpr.Move{From: from, To: to}, p.side), Result(result))
			return p.turn(mover.Other()), nil
		}
	}
	return game.PromptNone, fmt.Errorf("outcome %q: allowed are move, win, loss and tie", line[3])
}

func (p *playerEnd4500) Say(a game.Answer) []byte {
	p.said(a)
	if a.Kind == game.AnswerResign {
		return []byte(forfeit + "\n")
	}
	return sayAnswer(a, p.side)
}
