package console

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
	"luzhanqi/text"
)

// refereeEnd plays the person at the keyboard.
//
// What the program has printed stays unused until something is typed to it or its move is taken; a
// prompt that follows the move stays even then, so that it is still there when the opponent's move is
// to be typed.
type refereeEnd struct {
	adapter *Adapter
	side    game.Side
	view    gastank.View
	turn    bool              // the program owes a move
	untyped *game.Move        // the opponent's move, until the program asks for it
	moved   bool              // the program has moved before
	spoken  bool              // something was typed to the program
	sent    string            // the last line typed, whose echo may come back
	asked   map[*question]int // how often since the program's last move

	illegal   bool   // the program's move was, and it is asked again
	refusable string // the opponent's last move as it was typed
}

var _ game.ConsoleEnd = (*refereeEnd)(nil)

// The bounds of the output of a program before it moves, in bytes, and of how often it may ask the
// same question before it moves.
const (
	maxOutput    = 256 << 10 // escape codes before every character make 3 KiB of a board
	maxQuestions = 5
)

// Tell notes what has happened and says nothing.
func (r *refereeEnd) Tell(e game.Event, v game.View) [][]byte {
	if known, ok := v.(gastank.View); ok {
		r.view = known
	}
	switch e.Kind {
	case game.EventTurn:
		r.turn = e.Side == r.side
	case game.EventMoved:
		if e.Side == r.side {
			r.turn = false
			break
		}
		m := e.Move
		r.untyped = &m
	case game.EventIllegal:
		r.illegal = e.HasMove && e.Side == r.side
	case game.EventBegin, game.EventEnd:
	}
	return nil
}

func (r *refereeEnd) Silence() time.Duration { return r.adapter.silence }

// Scan bounds the output, and looks for the move when no more will come.
func (r *refereeEnd) Scan(buf []byte, eof bool) (n int, a game.Answer, err error) {
	switch {
	case len(buf) > maxOutput:
		return 0, a, fmt.Errorf("%w without a move", &game.TooLongError{Max: maxOutput})
	case !eof:
		return 0, a, nil
	}
	n, _, a, _, err = r.decide(buf, true, true)
	return n, a, err
}

// Silent answers a question, types the opponent's move, or takes the program's move.
func (r *refereeEnd) Silent(buf []byte, last bool) (n int, typed []byte, a game.Answer, found bool, err error) {
	if len(buf) > maxOutput {
		return 0, nil, a, false, fmt.Errorf("%w without a move", &game.TooLongError{Max: maxOutput})
	}
	return r.decide(buf, last, false)
}

// decide chooses the reaction to the output so far, for Scan and Silent: last says that the program's
// time is over, closed that its output has ended, so that nothing can be typed any more.
func (r *refereeEnd) decide(buf []byte, last, closed bool) (n int, typed []byte, a game.Answer, found bool, err error) {
	c := r.withoutEcho(clean(buf))
	if r.illegal {
		return 0, nil, a, false, unreadable(c.text, errors.New("the program's move was illegal, and a program at a terminal cannot be asked for another"))
	}
	asks, at := r.adapter.asks(c.text)
	prompted := false
	if asks == nil {
		if at, prompted = atEnd(c.text, r.adapter.prompt...); !prompted {
			at = len(c.text)
		}
	}
	if r.turn && r.untyped == nil {
		move, ok, err := r.findMove(c.text[:at], prompted)
		if err != nil {
			return 0, nil, a, false, err
		}
		known := prompted || len(r.adapter.prompt) == 0 || closed && r.spoken
		if ok && (known || move.legal && (asks != nil || last || r.wins(move) || r.says(c.text))) {
			n = c.at[at]
			if closed || at == len(c.text) {
				n = len(buf)
			}
			r.turn, r.moved, r.sent = false, true, ""
			clear(r.asked)
			return n, nil, game.Answer{Kind: game.AnswerMove, Move: move.move, Comment: move.comment}, true, nil
		}
	}
	line := ""
	switch {
	case closed:
		return 0, nil, a, false, r.claimedEnd(c.text)
	case asks != nil:
		if r.asked[asks]++; r.asked[asks] > maxQuestions {
			return 0, nil, a, false, unreadable(c.text, fmt.Errorf("the program asks this again after %d answers: the adapter types %q", maxQuestions, r.sent))
		}
		line = asks.answer(r.side == game.Second)
	case r.untyped != nil && (prompted || r.promptless(c.text)):
		line = r.adapter.typed(programFrame(*r.untyped, r.side), c.text[at:])
		r.refusable, r.untyped = line, nil
	case last, r.turn && r.says(c.text): // nothing else follows
		return 0, nil, a, false, r.claimedEnd(c.text)
	default:
		return 0, nil, a, false, nil
	}
	r.sent, r.spoken = line, true
	return len(buf), []byte(line + r.adapter.newline), a, false, nil
}

// findMove finds the move that the program owes in its output up to the prompt. A prompt without a move,
// or a refusal, after a move that was legal is an error, since nothing else can be typed.
func (r *refereeEnd) findMove(text []byte, prompted bool) (move answered, ok bool, err error) {
	move, ok = r.adapter.recognise(text, r.view)
	if !r.spoken && !move.legal {
		ok = false // an example in a greeting: the program does not know yet that the first move is its own
	}
	refused := r.refused(text)
	switch {
	case ok && move.legal && move.end > refused:
		return move, true, nil
	case refused >= 0:
		err = fmt.Errorf("the program refused the legal move %s", r.refusable)
	case ok || !prompted:
		return move, ok, nil
	case r.refusable != "" && r.accepted(text):
		err = fmt.Errorf("its board shows that it has accepted %s, but nothing that it wrote was recognised as its own move: its adapter needs a "+
			"pattern for it", r.refusable)
	case r.refusable != "":
		err = fmt.Errorf("it asks for a move again, and nothing that it wrote was recognised as a move: it refused the legal move %s, or its "+
			"adapter needs another pattern for its moves", r.refusable)
	default:
		err = errors.New("the program asks for a move although the first one is its own; if it asks something else, its adapter needs a [[question]] for it")
	}
	return move, false, unreadable(text, err)
}

// refused returns where the last refusal ends; -1 if there is none, or nothing to refuse.
func (r *refereeEnd) refused(text []byte) int {
	at := -1
	if r.refusable == "" {
		return at
	}
	const maxMatches = 100
	for _, re := range r.adapter.refusals {
		for _, span := range re.FindAllIndex(text, maxMatches) {
			at = max(at, span[1])
		}
	}
	return at
}

// promptless says whether silence alone asks for the opponent's move.
func (r *refereeEnd) promptless(text []byte) bool {
	return len(r.adapter.prompt) == 0 && (r.moved || len(bytes.TrimSpace(text)) > 0)
}

// wins says whether the move ends the game, after which a program need not prompt.
func (r *refereeEnd) wins(move answered) bool {
	_, over := r.view.Play(move.move).Outcome()
	return over
}

// claimedEnd is the error about a program that says that the game is over, and does no more. The rules, not
// the program, say whether it is.
func (r *refereeEnd) claimedEnd(text []byte) error {
	for _, re := range r.adapter.ends {
		if span := re.FindIndex(text); span != nil && span[0] < span[1] {
			return unreadable(text[span[0]:], errors.New("the program says that the game is over, which it is not, and neither moves nor asks for a move"))
		}
	}
	return nil
}

// says tells whether the last that the program said is that the game is over.
func (r *refereeEnd) says(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n.!")
	for _, re := range r.adapter.ends {
		for _, span := range re.FindAllIndex(text, -1) {
			if span[0] < span[1] && span[1] == len(text) {
				return true
			}
		}
	}
	return false
}

// accepted says whether the program has printed the board after its opponent's last move.
func (r *refereeEnd) accepted(text []byte) bool {
	if r.adapter.board == nil {
		return false
	}
	for _, shown := range r.adapter.board.read(text, r.side) {
		if before := r.view.Board(); before.SamePlaces(shown.board) {
			return true
		}
	}
	return false
}

// withoutEcho takes away what was typed, if the adapter says that it comes back.
func (r *refereeEnd) withoutEcho(c cleaned) cleaned {
	if !r.adapter.typing.echo || r.sent == "" {
		return c
	}
	start := len(c.text) - len(bytes.TrimLeft(c.text, " \t\n"))
	end := start + len(r.sent)
	if end <= len(c.text) && strings.EqualFold(string(c.text[start:end]), r.sent) {
		c.text, c.at = c.text[end:], c.at[end:]
	}
	return c
}

// unreadable is the error about what the output ends in.
func unreadable(output []byte, err error) error {
	return &game.UnreadableError{Found: string(text.Suffix(bytes.TrimSpace(output), 100)), Err: err}
}
