package referee

import (
	"bytes"
	"fmt"
	"slices"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// The conversations of a game that is judged again: what had to be sent is compared with what was.

// said is one message of the referee.
type said struct {
	line      int // of the record
	text      []byte
	arguments []string
}

// converse starts the conversations.
func (j *judge) converse() {
	for side, p := range j.Header.Players {
		if p.Protocol == "" {
			continue
		}
		protocol, err := p.protocol(j.game)
		if err != nil {
			j.disagree("player %d: %v", side+1, err)
			continue
		}
		j.ends[side] = protocol.RefereeEnd(game.Side(side), j.Header.limits(game.Side(side)))
		j.speech[side] = testimonyOf(j.ends[side])
	}
	j.tell(game.Event{Kind: game.EventBegin})
	if !j.game.HasSetUp() {
		j.start()
		return
	}
	for side := range j.ends {
		j.ask(game.Side(side), game.AnswerSetUp)
	}
}

// protocol finds what a player's program spoke.
func (p *RecordPlayer) protocol(g game.Game) (game.Protocol, error) {
	protocol, err := games.FindProtocol(g, p.Protocol)
	if err != nil {
		return nil, fmt.Errorf("it speaks dialect %q, which %s does not have", p.Protocol, g.Name())
	}
	if p.Adapter == nil {
		return protocol, nil
	}
	return p.Adapter.Adapt(protocol)
}

// ask begins to wait for an answer.
func (j *judge) ask(side game.Side, kind game.AnswerKind) {
	if j.ends[side] == nil {
		return
	}
	var v game.View
	if j.pos != nil {
		v = j.pos.View(side)
	}
	if question, ok := j.speech[side].asked(kind, v); ok {
		j.due[side] = append(j.due[side], question)
	}
	j.compare(side)
}

func (j *judge) tell(e game.Event) {
	for side := range j.ends {
		j.tellOne(game.Side(side), e)
	}
}

func (j *judge) tellOne(side game.Side, e game.Event) {
	if j.ends[side] == nil {
		return
	}
	var v game.View
	if j.pos != nil {
		v = j.pos.View(side)
	}
	for _, text := range j.ends[side].Tell(e, v) {
		j.due[side] = append(j.due[side], said{text: bytes.Clone(text)})
	}
	j.compare(side)
}

func (j *judge) received(side game.Side, line Line) {
	if j.ends[side] == nil {
		if j.Header.Players[side].Protocol == "" {
			j.disagree("player %v has no conversation and is said to have written %.80q", side, line.text())
		}
		return
	}
	if typed := j.speech[side].received(line.text(), line.Heard); len(typed) > 0 {
		j.due[side] = append(j.due[side], said{text: typed})
		j.compare(side)
	}
}

// compare pairs what was sent with what had to be. The end of a game is sent before the line that
// says how it ended, so either may come first.
func (j *judge) compare(side game.Side) {
	for len(j.heard[side]) > 0 && len(j.due[side]) > 0 {
		h, due := j.heard[side][0], j.due[side][0]
		j.heard[side], j.due[side] = j.heard[side][1:], j.due[side][1:]
		if !bytes.Equal(h.text, due.text) || !slices.Equal(h.arguments, due.arguments) {
			line := j.line
			j.line = h.line
			j.disagree("player %v was sent %v; by the rules it is %v", side, h, due)
			j.line = line
		}
	}
}

// finish finds what was sent and nothing explains. The reverse is no fault: a program that has
// closed its input is sent nothing more.
func (j *judge) finish() {
	if j.Ending == nil {
		return
	}
	for side, rest := range j.heard {
		for _, h := range rest {
			j.line = h.line
			j.disagree("player %d was sent %v, for which there is no reason", side+1, h)
		}
	}
}

// String quotes what was sent.
func (s said) String() string {
	if len(s.arguments) > 0 {
		return fmt.Sprintf("%q with the arguments %q", s.text, s.arguments)
	}
	return fmt.Sprintf("%q", s.text)
}

// answer is what a program had answered; false: it has no conversation, or this is a disagreement.
func (j *judge) answer(side game.Side) (a game.Answer, ok bool) {
	if j.ends[side] == nil {
		return a, false
	}
	a, ok, err := j.speech[side].answer()
	if !ok {
		j.disagree("player %v had sent no readable answer: %v", side, err)
	}
	return a, ok
}
