package check

import (
	"bytes"
	"time"

	"luzhanqi/game"
)

// framing is how messages are put into writes. Their bytes stay the same but for line ends.
type framing uint8

const (
	whole      framing = iota // a message, a write: what fails then has no other reason than itself
	joined                    // all that is said between two answers comes in one write, as it may in a match
	byteByByte                // each byte by itself
	crlf                      // lines end in CR LF
	blanked                   // an empty line before each message
)

// reframedProtocol is a protocol whose messages are put into writes in another way.
type reframedProtocol struct {
	game.Protocol
	framing     framing
	mute        bool   // nothing is said at the end of the game: the input just ends
	atEnd       func() // called when the game is over; may be nil
	asksAtBegin bool   // for the set-up
}

func (p reframedProtocol) RefereeEnd(side game.Side, limits game.Limits) game.RefereeEnd {
	return &reframer{p, p.Protocol.RefereeEnd(side, limits), side, nil}
}

// reframer is the referee's end of one conversation of any kind: the referee calls what its kind has.
type reframer struct {
	reframedProtocol
	end  game.RefereeEnd
	side game.Side
	held []byte
}

func (r *reframer) Scan(buf []byte, eof bool) (int, game.Answer, error) { return r.end.Scan(buf, eof) }

func (r *reframer) Question(kind game.AnswerKind, v game.View) ([]string, []byte) {
	return r.end.(game.OneShotEnd).Question(kind, v)
}

// Open is called for a program only that reads what is said of openings.
func (r *reframer) Open(o game.Opening, start game.Position) { r.end.(game.OpeningEnd).Open(o, start) }

func (r *reframer) Silence() time.Duration { return r.end.(game.ConsoleEnd).Silence() }

func (r *reframer) Silent(buf []byte, last bool) (int, []byte, game.Answer, bool, error) {
	return r.end.(game.ConsoleEnd).Silent(buf, last)
}

func (r *reframer) Tell(e game.Event, v game.View) [][]byte {
	messages := r.end.Tell(e, v)
	if e.Kind == game.EventEnd {
		if r.atEnd != nil {
			r.atEnd()
		}
		if r.mute {
			return nil
		}
	}
	switch r.framing {
	case joined:
		return r.join(e, messages)
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

// join holds messages back until the program is asked for something or the game is over.
func (r *reframer) join(e game.Event, messages [][]byte) [][]byte {
	for _, m := range messages {
		r.held = append(r.held, m...)
	}
	asks := e.Kind == game.EventTurn && e.Side == r.side || e.Kind == game.EventBegin && r.asksAtBegin ||
		e.Kind == game.EventIllegal || e.Kind == game.EventEnd
	if !asks || len(r.held) == 0 {
		return nil
	}
	text := r.held
	r.held = nil
	return [][]byte{text}
}
