package quagmire

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/text"
)

// plain is the conversation of programs: lines of text. The referee says O or X, then each move of the
// opponent; the program answers with a move a line. README.md has an example.
type plain struct{ game.ProtocolDefaults }

func (plain) Name() string { return "plain" }

func (plain) Summary() string {
	return "lines of text: O or X, then the opponent's moves such as c2 c4, each answered with a move"
}

func (plain) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return &refereeEnd{side: side}
}

type refereeEnd struct{ side game.Side }

// Tell: a move is told when its answer is asked for, and so the one that ends the game to nobody.
func (r *refereeEnd) Tell(e game.Event, v game.View) [][]byte {
	switch e.Kind {
	case game.EventBegin:
		return [][]byte{{Letter(r.side), '\n'}}
	case game.EventTurn:
		if e.Side != r.side {
			return nil
		}
		if m, ok := v.(*View).LastMove(); ok {
			return [][]byte{[]byte(MoveName(m) + "\n")}
		}
	case game.EventIllegal:
		if e.HasMove {
			return [][]byte{[]byte(illegalWord + " " + MoveName(e.Move) + "\n")}
		}
	}
	return nil
}

const (
	resignWord  = "resign"
	illegalWord = "illegal"
	// maxLine is far above the longest line of either end, in bytes.
	maxLine = 1 << 10
)

var errAnswer = errors.New("allowed is one move a line, such as c2 c4, c2-c4 or c2c4, or " + resignWord)

// Scan reads one line that is not blank.
func (r *refereeEnd) Scan(buf []byte, eof bool) (n int, a game.Answer, err error) {
	found, n, long := game.NextLine(buf, eof, maxLine)
	if long {
		return 0, a, &game.UnreadableError{
			Found: string(text.Prefix(found, 60)), Err: fmt.Errorf("a line of more than %d bytes; %w", maxLine, errAnswer),
		}
	}
	if n == 0 {
		return 0, a, nil
	}
	line := string(found)
	if strings.EqualFold(line, resignWord) {
		return n, game.Answer{Kind: game.AnswerResign}, nil
	}
	m, err := ParseMove(line)
	if err != nil {
		return n, a, &game.UnreadableError{Found: text.Prefix(line, 60), Err: errAnswer}
	}
	return n, game.Answer{Kind: game.AnswerMove, Move: m}, nil
}

func (plain) PlayerEnd(_ game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	return &playerEnd{limit: limit}
}

// playerEnd keeps the game by what it hears and says.
type playerEnd struct {
	limit  time.Duration
	view   *View     // nil before the first message
	before *Position // where an own move was played that nobody has answered; else nil
}

// Scan reads one line of the referee. The end of its input is the end of the game. A move that our
// rules do not allow is played all the same if it can be, and is an error beside the prompt.
func (p *playerEnd) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	line, n, long := game.NextLine(buf, eof, maxLine)
	switch {
	case n > 0:
		prompt, err = p.hear(string(line))
		return n, prompt, err
	case long:
		return len(buf), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxLine)
	case eof && p.view != nil:
		return len(buf), game.PromptEnd, nil
	}
	return 0, game.PromptNone, nil
}

func (p *playerEnd) hear(line string) (game.Prompt, error) {
	if p.view == nil {
		side, err := ParseSide(line)
		if err != nil {
			return game.PromptNone, fmt.Errorf("first line: %w", err)
		}
		p.view = &View{side, NewPosition()}
		return p.turn(), nil
	}
	if word, _, _ := strings.Cut(line, " "); word == illegalWord {
		if p.before == nil {
			return game.PromptNone, fmt.Errorf("%s, but no move was sent", quoted(line))
		}
		p.view, p.before = &View{p.view.side, p.before}, nil
		return game.PromptMove, nil
	}
	m, err := ParseMove(line)
	if err != nil {
		return game.PromptNone, err
	}
	if p.view.Mover() == p.view.side {
		return game.PromptNone, fmt.Errorf("%s, but it is our turn", MoveName(m))
	}
	return p.heard(m)
}

// heard plays the opponent's move.
func (p *playerEnd) heard(m game.Move) (game.Prompt, error) {
	now := p.view.position
	if err := now.board.passable(now.mover, m); err != nil {
		return game.PromptNone, fmt.Errorf("the opponent's move %s cannot be played: %w", MoveName(m), err)
	}
	wrong := now.Check(m)
	p.view, p.before = &View{p.view.side, now.play(m)}, nil
	if wrong != nil {
		wrong = fmt.Errorf("the opponent's move is illegal by our rules: %w", wrong)
	}
	return p.turn(), wrong
}

// turn asks for a move if it is our turn and the game is not over by our rules.
func (p *playerEnd) turn() game.Prompt {
	if _, over := p.view.Outcome(); over || p.view.Mover() != p.view.side {
		return game.PromptNone
	}
	return game.PromptMove
}

// Say plays the own move too, whether or not it is legal, as long as it can be.
func (p *playerEnd) Say(a game.Answer) []byte {
	if a.Kind != game.AnswerMove {
		return []byte(resignWord + "\n")
	}
	if p.view != nil && p.view.Mover() == p.view.side && p.view.position.board.passable(p.view.side, a.Move) == nil {
		p.before = p.view.position
		p.view = &View{p.view.side, p.before.play(a.Move)}
	}
	return []byte(MoveName(a.Move) + "\n")
}

// View is what is known by now: nil before the first message.
func (p *playerEnd) View() game.View {
	if p.view == nil {
		return nil // not a nil *View in an interface
	}
	return p.view
}

// Limit is the time for an answer.
func (p *playerEnd) Limit() time.Duration { return p.limit }
