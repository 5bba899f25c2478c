package gastank

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/text"
)

// Plain is the line dialogue: the referee says first or second, then the opponent's moves; the
// program answers with its own, one a line. Each program sees itself as the lower side.
type Plain struct{ game.ProtocolDefaults }

var _ game.Protocol = Plain{}

// Name is the word that selects the protocol.
func (Plain) Name() string { return "plain" }

// Summary says in a line what it is.
func (Plain) Summary() string {
	return `lines: "first" or "second", then one move a line, such as A3D6; each program sees itself below`
}

// RefereeEnd begins a conversation with the program that plays side.
func (Plain) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return &plainReferee{side: side}
}

// PlayerEnd begins a conversation with a referee, which says the side; limit zero is the game's.
func (Plain) PlayerEnd(_ game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	if limit <= 0 {
		limit = Game{}.Limits().Move
	}
	return &plainPlayer{limit: limit}
}

// The words of the dialogue beside moves.
const (
	wordFirst   = "first"
	wordSecond  = "second"
	wordResign  = "resign"
	wordIllegal = "illegal"
)

// MaxLine bounds a line: 60 blanks may surround a move.
const MaxLine = 64

type plainReferee struct{ side game.Side }

// Tell says which side the program plays, and what the opponent has moved. A move is told when its
// answer is asked for, and so the one that ends the game to nobody: the end of its input tells the program.
func (r *plainReferee) Tell(e game.Event, v game.View) [][]byte {
	switch e.Kind {
	case game.EventBegin:
		return [][]byte{[]byte([...]string{wordFirst, wordSecond}[r.side] + "\n")}
	case game.EventTurn:
		known, ok := v.(View)
		if m, moved := known.LastMove(); ok && moved && e.Side == r.side {
			return [][]byte{[]byte(MoveName(InFrame(m, r.side)) + "\n")}
		}
	case game.EventIllegal:
		if e.HasMove {
			return [][]byte{[]byte(wordIllegal + " " + MoveName(InFrame(e.Move, r.side)) + "\n")}
		}
	case game.EventMoved, game.EventEnd:
	}
	return nil
}

// Scan reads a move, or "resign", and a newline; blanks around it, empty lines before it and small
// letters are taken, and at the end of the output the newline may be missing.
func (r *plainReferee) Scan(buf []byte, eof bool) (n int, a game.Answer, err error) {
	text, n, long := game.NextLine(buf, eof, MaxLine)
	if long {
		return 0, a, &game.UnreadableError{Found: excerpt(text), Err: ErrLongLine}
	}
	if n == 0 {
		return 0, a, nil
	}
	line := string(text)
	if strings.EqualFold(line, wordResign) {
		return n, game.Answer{Kind: game.AnswerResign}, nil
	}
	m, err := ParseTypedMove(line)
	if err != nil {
		err = fmt.Errorf("%w; an answer is one move a line, or resign; other output belongs on standard error", err)
		return n, a, &game.UnreadableError{Found: excerpt(text), Err: err}
	}
	return n, game.Answer{Kind: game.AnswerMove, Move: InFrame(m, r.side)}, nil
}

// ErrLongLine refuses a longer one.
var ErrLongLine = errors.New("an answer is a line of at most 64 bytes, such as A3D6")

// excerpt is the first line that says anything, cut.
func excerpt(buf []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(buf[:min(len(buf), 4<<10)], " \t\r\n\v\f"), []byte("\n"))
	return string(text.Prefix(line, 60))
}

type plainPlayer struct {
	limit  time.Duration
	view   View
	begun  bool
	before *Position // where an own move was played that nobody has answered; else nil
}

func (p *plainPlayer) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	line, n, long := game.NextLine(buf, eof, MaxLine)
	switch {
	case long:
		return 0, game.PromptNone, ErrLongLine
	case n == 0 && eof: // nothing says whether the game is over; the referee has no more to say
		return len(buf), game.PromptEnd, nil
	case n == 0:
		return 0, game.PromptNone, nil
	}
	prompt, err = p.hear(string(line))
	return n, prompt, err
}

func (p *plainPlayer) hear(line string) (game.Prompt, error) {
	if !p.begun {
		switch line {
		case wordFirst:
			p.begin(game.First)
			return game.PromptMove, nil
		case wordSecond:
			p.begin(game.Second)
			return game.PromptNone, nil
		}
		return game.PromptNone, fmt.Errorf("%s: expected first or second", quoted(line))
	}
	if word, _, _ := strings.Cut(line, " "); word == wordIllegal {
		if p.before == nil {
			return game.PromptNone, fmt.Errorf("%s, but no move was sent", quoted(line))
		}
		p.view.position, p.before = *p.before, nil
		return game.PromptMove, nil
	}
	m, err := ParseTypedMove(line)
	if err != nil {
		return game.PromptNone, err
	}
	m = InFrame(m, p.view.side)
	if p.view.Mover() == p.view.side {
		return game.PromptNone, fmt.Errorf("%s: it is our turn, not the opponent's", quoted(line))
	}
	if err := p.view.Check(m, p.view.side); err != nil {
		return game.PromptNone, err
	}
	p.view, p.before = p.view.Play(m), nil
	if _, over := p.view.Outcome(); over {
		return game.PromptNone, nil
	}
	return game.PromptMove, nil
}

func (p *plainPlayer) begin(side game.Side) {
	p.view, p.begun = NewView(side), true
}

// Say writes a move or "resign".
func (p *plainPlayer) Say(a game.Answer) []byte {
	if a.Kind != game.AnswerMove || !p.begun {
		return []byte(wordResign + "\n")
	}
	if p.view.Mover() == p.view.side && p.view.position.Check(a.Move) == nil {
		before := p.view.position
		p.view, p.before = p.view.Play(a.Move), &before
	}
	return []byte(MoveName(InFrame(a.Move, p.view.side)) + "\n")
}

func (p *plainPlayer) View() game.View {
	if !p.begun {
		return nil
	}
	return p.view
}

func (p *plainPlayer) Limit() time.Duration { return p.limit }
