package check

import (
	"bytes"

	"luzhanqi/game"
)

// framing is how messages are put into writes. What is said stays the same.
type framing uint8

const (
	whole      framing = iota // as a match does: a message, a write
	joined                    // all that is said between two answers comes in one write
	byteByByte                // each byte by itself
	crlf                      // lines end in CR LF
	blanked                   // an empty line before each message
)

// spoken is a protocol that a check listens to and reframes.
type spoken struct {
	game.Protocol
	framing framing
	mute    bool   // the end of the game is not told: the input ends without a word
	ending  func() // called when the end of the game is to be told; may be nil
	joins   bool   // there is a set-up, so that the beginning is a question
}

// RefereeEnd begins a conversation.
func (p spoken) RefereeEnd(side game.Side, limits game.Limits) game.RefereeEnd {
	end := p.Protocol.RefereeEnd(side, limits)
	say := &speaker{spoken: p, side: side}
	switch p.Kind() {
	case game.OneShot:
		return spokenOneShot{end.(game.OneShotEnd), say}
	case game.Console:
		return spokenConsole{end.(game.ConsoleEnd), say}
	}
	return spokenDialogue{end, say}
}

// The three kinds of conversation, each with its own methods besides Tell.
type (
	spokenDialogue struct {
		game.RefereeEnd
		say *speaker
	}
	spokenConsole struct {
		game.ConsoleEnd
		say *speaker
	}
	spokenOneShot struct {
		game.OneShotEnd
		say *speaker
	}
)

func (s spokenDialogue) Tell(e game.Event, v game.View) [][]byte {
	return s.say.tell(e, s.RefereeEnd.Tell(e, v))
}

func (s spokenConsole) Tell(e game.Event, v game.View) [][]byte {
	return s.say.tell(e, s.ConsoleEnd.Tell(e, v))
}

func (s spokenOneShot) Tell(e game.Event, v game.View) [][]byte {
	return s.say.tell(e, s.OneShotEnd.Tell(e, v))
}

// speaker reframes the messages of one conversation.
type speaker struct {
	spoken
	side game.Side
	held []byte
}

func (s *speaker) tell(e game.Event, messages [][]byte) [][]byte {
	if e.Kind == game.EventEnd {
		if s.ending != nil {
			s.ending()
		}
		if s.mute {
			return nil
		}
	}
	switch s.framing {
	case joined:
		return s.join(e, messages)
	case byteByByte:
		var all [][]byte
		for _, m := range messages {
			for i := range m {
				all = append(all, m[i:i+1])
			}
		}
		return all
	case crlf:
		return each(messages, func(m []byte) []byte { return bytes.ReplaceAll(m, []byte("\n"), []byte("\r\n")) })
	case blanked:
		return each(messages, func(m []byte) []byte { return append([]byte("\n"), m...) })
	case whole:
	}
	return messages
}

func each(messages [][]byte, change func([]byte) []byte) (all [][]byte) {
	for _, m := range messages {
		all = append(all, change(m))
	}
	return all
}

// join keeps what is said until the program is asked for something, or the game is over.
func (s *speaker) join(e game.Event, messages [][]byte) [][]byte {
	for _, m := range messages {
		s.held = append(s.held, m...)
	}
	asks := e.Kind == game.EventTurn && e.Side == s.side || e.Kind == game.EventBegin && s.joins ||
		e.Kind == game.EventIllegal || e.Kind == game.EventEnd
	if !asks || len(s.held) == 0 {
		return nil
	}
	text := s.held
	s.held = nil
	return [][]byte{text}
}
