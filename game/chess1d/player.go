package chess1d

import (
	"bytes"
	"fmt"
	"time"

	"luzhanqi/game"
)

// player is the player's end. A process of ours, too, answers once and is done. It takes itself for
// player 1: it is never told which it is, and sees itself on the left either way.
type player struct {
	protocol
	noMovesDraws bool
	limit        time.Duration
	view         *View
	answered     bool
}

// View is nil before a board was read.
func (p *player) View() game.View {
	if p.view == nil {
		return nil // not a nil *View in an interface
	}
	return p.view
}

func (p *player) Limit() time.Duration { return p.limit }

// Scan reads a code and, if it asks for a move, the board on the line after it.
func (p *player) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	if p.answered {
		return 0, game.PromptEnd, nil
	}
	code, n := line(buf, eof)
	switch {
	case n == 0 && len(buf) > maxAnswer:
		return len(buf), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxAnswer)
	case n == 0:
		return 0, game.PromptNone, nil
	case code == p.setUp:
		return n, game.PromptSetUp, nil
	case code != p.move:
		return n, game.PromptNone, fmt.Errorf("line %.40q: allowed are %s and %s", code, p.setUp, p.move)
	}
	text, more := line(buf[n:], eof)
	switch {
	case more == 0 && len(buf) > maxAnswer:
		return len(buf), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxAnswer)
	case more == 0:
		return 0, game.PromptNone, nil
	}
	n += more
	b, err := ParseBoard(text)
	if err != nil {
		return n, game.PromptNone, err
	}
	p.view = NewView(b, game.First, p.noMovesDraws)
	return n, game.PromptMove, nil
}

// line returns the first line without its end, and how many bytes it takes; none: it is not whole.
// Blanks stay: they are squares.
func line(buf []byte, eof bool) (text string, n int) {
	end := bytes.IndexByte(buf, '\n')
	switch {
	case end >= 0:
		n = end + 1
	case eof:
		n, end = len(buf), len(buf)
	default:
		return "", 0
	}
	return string(bytes.TrimSuffix(buf[:end], []byte("\r"))), n
}

// Say writes an answer. Who cannot move has nothing to say: there is no resigning here.
func (p *player) Say(a game.Answer) []byte {
	p.answered = true
	switch a.Kind {
	case game.AnswerSetUp:
		return append([]byte(a.SetUp), '\n')
	case game.AnswerMove:
		return append([]byte(MoveName(a.Move)), '\n')
	}
	return nil
}
