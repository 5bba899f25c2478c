package record

import (
	"bytes"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// transcript gives the output of one program, as a record holds it, to its protocol in the way in which the referee
// did.
type transcript interface {
	// asked notes that the referee waits for an answer from now on, and returns what it had to send then besides the
	// messages of Tell; false: nothing.
	asked(kind game.AnswerKind, v game.View) (question message, ok bool)
	// received takes a text of the program, and returns what had to be typed after it.
	received(text []byte, heard referee.Heard) (typed []byte)
	// answer takes the next answer; false: there is none, and err says what was wrong, if anything.
	answer() (a game.Answer, found bool, err error)
}

// newTranscript begins a transcript of a conversation of that kind.
func newTranscript(kind game.Kind, end game.RefereeEnd) transcript {
	switch kind {
	case game.OneShot:
		return &oneShotTranscript{end: end.(game.OneShotEnd)}
	case game.Console:
		return &consoleTranscript{end: end.(game.ConsoleEnd)}
	}
	return &dialogueTranscript{end: end}
}

// allowance returns the time that the kind of conversation adds to every limit of a side.
func (v *verifier) allowance(side game.Side) time.Duration {
	if r := v.Header.Players[side].Remote; r != nil {
		return text.Duration(r.Grace)
	}
	switch v.kinds[side] {
	case game.OneShot:
		return v.limits(side).Start
	case game.Console:
		return v.ends[side].(game.ConsoleEnd).Silence()
	}
	return 0
}

// dialogueTranscript is the output of a dialogue: no timing is needed to find its answers.
type dialogueTranscript struct {
	end    game.RefereeEnd
	unread []byte
	cut    bool // more could have come behind it
}

func (*dialogueTranscript) asked(game.AnswerKind, game.View) (message, bool) { return message{}, false }

func (t *dialogueTranscript) received(text []byte, how referee.Heard) []byte {
	t.unread = append(t.unread, text...)
	t.cut = how == referee.HeardCut
	return nil
}

func (t *dialogueTranscript) answer() (game.Answer, bool, error) {
	n, a, err := t.end.Scan(t.unread, !t.cut)
	if err != nil || n == 0 {
		t.unread = nil
		return a, false, err
	}
	t.unread = append([]byte{}, t.unread[n:]...)
	return a, true, nil
}

// oneShotTranscript is the output of a program that was started for each question.
type oneShotTranscript struct {
	end    game.OneShotEnd
	output []byte // of the latest process
	cut    bool   // no answer was sought in it
}

func (t *oneShotTranscript) asked(kind game.AnswerKind, v game.View) (message, bool) {
	arguments, input := t.end.Question(kind, v)
	return message{text: bytes.Clone(input), arguments: arguments}, true
}

func (t *oneShotTranscript) received(text []byte, how referee.Heard) []byte {
	t.output, t.cut = bytes.Clone(text), how == referee.HeardCut
	return nil
}

func (t *oneShotTranscript) answer() (a game.Answer, found bool, err error) {
	output, cut := t.output, t.cut
	t.output, t.cut = nil, false
	if cut {
		return a, false, nil
	}
	n, a, err := t.end.Scan(output, true)
	return a, err == nil && n > 0, err
}

// consoleTranscript is the output of a program that talked to a person. A text is recorded each time the referee looks
// for an answer in it, together with how, so the verifier looks at the same places.
type consoleTranscript struct {
	end    game.ConsoleEnd
	unread []byte
	found  *game.Answer
	err    error
}

func (*consoleTranscript) asked(game.AnswerKind, game.View) (message, bool) { return message{}, false }

func (t *consoleTranscript) received(text []byte, how referee.Heard) (typed []byte) {
	t.unread = append(t.unread, text...)
	var n int
	var a game.Answer
	found := false
	switch how {
	case referee.HeardPause, referee.HeardLast:
		n, typed, a, found, t.err = t.end.Silent(t.unread, how == referee.HeardLast)
	case "", referee.HeardEnd:
		n, a, t.err = t.end.Scan(t.unread, how == referee.HeardEnd)
		found = n > 0
	}
	if t.err == nil {
		t.unread = append([]byte{}, t.unread[n:]...)
	}
	if found && t.err == nil {
		t.found = &a
	}
	if how != referee.HeardPause { // too late to type
		return nil
	}
	return typed
}

func (t *consoleTranscript) answer() (a game.Answer, found bool, err error) {
	if t.found == nil {
		return a, false, t.err
	}
	a, t.found = *t.found, nil
	return a, true, nil
}
