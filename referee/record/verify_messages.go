package record

import (
	"bytes"
	"fmt"
	"slices"

	"luzhanqi/game"
)

// This file compares what the referee sent with what it had to send.

// message is one that the referee sent.
type message struct {
	line      int // of the record
	text      []byte
	arguments []string
}

// begin begins the conversations.
func (v *verifier) begin() {
	start, err := v.opening.Placed(v.Game, v.Rules)
	if err != nil {
		v.disagree("the opening's position: %v", err)
		start = nil
	}
	for side, p := range v.Header.Players {
		if p.Protocol == "" || v.Header.Imported {
			continue
		}
		protocol, err := p.protocol(v.Game)
		if err != nil {
			v.disagree("player %d: %v", side+1, err)
			continue
		}
		v.ends[side] = protocol.RefereeEnd(game.Side(side), v.limits(game.Side(side)))
		if end, ok := v.ends[side].(game.OpeningEnd); ok && !v.opening.None() {
			end.Open(v.opening, start)
		}
		v.kinds[side] = protocol.Kind()
		v.said[side] = newTranscript(v.kinds[side], v.ends[side])
	}
	v.tell(game.Event{Kind: game.EventBegin})
	if !v.opening.AsksSetUps(v.Game) {
		v.start()
		return
	}
	for side := range v.ends {
		if v.asked(game.Side(side)) {
			v.ask(game.Side(side), game.AnswerSetUp)
		}
	}
}

// asked says whether a side is asked for its set-up: one that the opening gives is asked for only where a program was told it.
func (v *verifier) asked(side game.Side) bool {
	return v.opening.SetUps[side] == "" || v.ends[side] != nil && v.kinds[side] != game.OneShot
}

// ask begins to wait for an answer.
func (v *verifier) ask(side game.Side, kind game.AnswerKind) {
	if v.ends[side] == nil {
		return
	}
	var view game.View
	if v.pos != nil {
		view = v.pos.View(side)
	}
	if question, ok := v.said[side].asked(kind, view); ok {
		v.due[side] = append(v.due[side], question)
	}
	v.compare(side)
}

func (v *verifier) tell(e game.Event) {
	for side := range v.ends {
		v.tellOne(game.Side(side), e)
	}
}

func (v *verifier) tellOne(side game.Side, e game.Event) {
	if v.ends[side] == nil {
		return
	}
	var view game.View
	if v.pos != nil {
		view = v.pos.View(side)
	}
	for _, text := range v.ends[side].Tell(e, view) {
		v.due[side] = append(v.due[side], message{text: bytes.Clone(text)})
	}
	v.compare(side)
}

func (v *verifier) received(side game.Side, line Line) {
	if v.ends[side] == nil {
		if v.Header.Players[side].Protocol == "" || v.Header.Imported {
			v.disagree("player %v has no conversation and is said to have written %.80q", side, line.text())
		}
		return
	}
	if typed := v.said[side].received(line.text(), line.Heard); len(typed) > 0 {
		v.due[side] = append(v.due[side], message{text: typed})
		v.compare(side)
	}
}

// compare pairs what was sent with what had to be. The end of a game is sent before the line that
// says how it ended, so either may come first.
func (v *verifier) compare(side game.Side) {
	for len(v.sent[side]) > 0 && len(v.due[side]) > 0 {
		sent, due := v.sent[side][0], v.due[side][0]
		v.sent[side], v.due[side] = v.sent[side][1:], v.due[side][1:]
		if !bytes.Equal(sent.text, due.text) || !slices.Equal(sent.arguments, due.arguments) {
			line := v.line
			v.line = sent.line
			v.disagree("player %v was sent %v; by the rules it is %v", side, sent, due)
			v.line = line
		}
	}
}

// finish finds what was sent and nothing explains. The reverse is no fault: a program that has
// closed its input is sent nothing more.
func (v *verifier) finish() {
	if v.Ending == nil {
		return
	}
	for side, rest := range v.sent {
		for _, m := range rest {
			v.line = m.line
			v.disagree("player %d was sent %v, for which there is no reason", side+1, m)
		}
	}
}

func (m message) String() string {
	if len(m.arguments) > 0 {
		return fmt.Sprintf("%q with the arguments %q", m.text, m.arguments)
	}
	return fmt.Sprintf("%q", m.text)
}

// answer returns the next answer of a program; false: it has no conversation, or none, which is a disagreement.
func (v *verifier) answer(side game.Side) (a game.Answer, ok bool) {
	if v.ends[side] == nil {
		return a, false
	}
	a, ok, err := v.said[side].answer()
	if !ok {
		v.disagree("player %v had sent no readable answer: %v", side, err)
	}
	return a, ok
}
