package referee

import (
	"bytes"
	"time"

	"luzhanqi/game"
)

// testimony is what a record holds of one program's words, heard by its protocol as the referee
// heard them.
type testimony interface {
	// asked: the referee waits for an answer from now on. The question is what it had to send then,
	// besides what the protocol tells.
	asked(kind game.AnswerKind, v game.View) (question said, ok bool)
	// received takes a text of the program, and returns what had to be typed after it.
	received(text []byte, heard Heard) (typed []byte)
	// answer takes the next answer; false: there is none, and err says what was wrong, if anything.
	answer() (a game.Answer, found bool, err error)
}

func testimonyOf(end game.RefereeEnd) testimony {
	switch end := end.(type) {
	case game.OneShotEnd:
		return &anewHeard{end: end}
	case game.ConsoleEnd:
		return &promptedHeard{end: end}
	}
	return &heard{end: end}
}

// allowance is what a way of talking adds to every limit.
func allowance(end game.RefereeEnd, limits game.Limits) time.Duration {
	switch end := end.(type) {
	case game.OneShotEnd:
		return limits.Start
	case game.ConsoleEnd:
		return end.Silence()
	}
	return 0
}

// heard are the words of a program whose bytes say all.
type heard struct {
	end    game.RefereeEnd
	unread []byte
	cut    bool // more could have come behind it
}

func (*heard) asked(game.AnswerKind, game.View) (said, bool) { return said{}, false }

func (h *heard) received(text []byte, how Heard) []byte {
	h.unread = append(h.unread, text...)
	h.cut = how == HeardCut
	return nil
}

func (h *heard) answer() (game.Answer, bool, error) {
	n, a, err := h.end.Scan(h.unread, !h.cut)
	if err != nil || n == 0 {
		h.unread = nil
		return a, false, err
	}
	h.unread = append([]byte{}, h.unread[n:]...)
	return a, true, nil
}

// anewHeard are the words of a program that was started anew for each question.
type anewHeard struct {
	end    game.OneShotEnd
	output []byte // of the latest process
	cut    bool   // it was not judged
}

func (h *anewHeard) asked(kind game.AnswerKind, v game.View) (said, bool) {
	arguments, input := h.end.Question(kind, v)
	return said{text: bytes.Clone(input), arguments: arguments}, true
}

func (h *anewHeard) received(text []byte, how Heard) []byte {
	h.output, h.cut = bytes.Clone(text), how == HeardCut
	return nil
}

func (h *anewHeard) answer() (a game.Answer, found bool, err error) {
	output, cut := h.output, h.cut
	h.output, h.cut = nil, false
	if cut {
		return a, false, nil
	}
	n, a, err := h.end.Scan(output, true)
	return a, err == nil && n > 0, err
}

// promptedHeard are the words of a program that talked to a person. Each text is on record when it
// was judged, together with how, so judging it again leads to the same.
type promptedHeard struct {
	end    game.ConsoleEnd
	unread []byte
	found  *game.Answer
	err    error
}

func (*promptedHeard) asked(game.AnswerKind, game.View) (said, bool) { return said{}, false }

func (h *promptedHeard) received(text []byte, how Heard) (typed []byte) {
	h.unread = append(h.unread, text...)
	var n int
	var a game.Answer
	found := false
	switch how {
	case HeardPause, HeardLast:
		n, typed, a, found, h.err = h.end.Silent(h.unread, how == HeardLast)
	case "", HeardEnd:
		n, a, h.err = h.end.Scan(h.unread, how == HeardEnd)
		found = n > 0
	}
	if h.err == nil {
		h.unread = append([]byte{}, h.unread[n:]...)
	}
	if found && h.err == nil {
		h.found = &a
	}
	if how != HeardPause { // too late to type
		return nil
	}
	return typed
}

func (h *promptedHeard) answer() (a game.Answer, found bool, err error) {
	if h.found == nil {
		return a, false, h.err
	}
	a, h.found = *h.found, nil
	return a, true, nil
}
