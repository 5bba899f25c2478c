package referee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"luzhanqi/game"
	"luzhanqi/text"
)

// dialogue is the seat of a program that runs for the whole game: it reads messages and writes answers.
type dialogue struct {
	program
	end     game.RefereeEnd
	unwatch func() bool // no longer interrupt the process when the context ends

	unsent [][]byte // messages that did not fit into the pipe
	deaf   bool     // it has closed its input, or is gone
}

// Tell writes the messages that pass e on, and never waits: the clock that runs may be the other
// side's. What does not fit into the pipe of a program that does not read is kept until it is asked,
// and then written on its own clock.
func (s *dialogue) Tell(e game.Event, v game.View) {
	for _, message := range s.end.Tell(e, v) {
		if len(s.unsent) > 0 || !s.send(message, time.Time{}) {
			s.unsent = append(s.unsent, bytes.Clone(message))
		}
	}
}

// send writes one message in one write; false: there was no room until the deadline.
func (s *dialogue) send(message []byte, deadline time.Time) bool {
	if s.deaf {
		return true
	}
	err := s.process.Write(message, deadline)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	if err != nil {
		s.deaf = true // it may still have answered, or be about to
		return true
	}
	s.note(true, message)
	return true
}

// Ask reads until there is a whole answer. Bytes that came before the question count: a program
// may answer early, at its own risk.
func (s *dialogue) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	for len(s.unsent) > 0 {
		if !s.send(s.unsent[0], q.Deadline) {
			return game.Answer{}, fouled(TimedOut, "does not read its standard input, which is full")
		}
		s.unsent = s.unsent[1:]
	}
	for {
		n, answer, err := s.end.Scan(s.buf, s.eof)
		if err != nil {
			return answer, s.unreadable(err)
		}
		if n > 0 {
			s.note(false, s.buf[:n])
			s.buf = append(s.buf[:0], s.buf[n:]...)
			return answer, nil
		}
		if s.eof {
			return answer, s.ended(ctx)
		}
		if len(s.buf) > maxAnswer {
			return answer, s.unreadable(&game.TooLongError{Max: maxAnswer})
		}
		if err := s.read(q.Deadline); err != nil {
			if foul := s.readFoul(ctx, err, q); foul != nil {
				return answer, foul
			}
		}
	}
}

// readFoul is the foul of an error of reading; nil for the end of the program's output, after which what it
// wrote before still counts.
func (s *dialogue) readFoul(ctx context.Context, err error, q Question) *Foul {
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return s.cannotRead(ctx, err)
	}
	s.noteRest(HeardCut)
	late := fmt.Sprintf("did not send %v within %s", q.Kind, q.time())
	if len(bytes.TrimSpace(s.buf)) > 0 {
		late += fmt.Sprintf("; it began an answer (%s) and did not end it", text.Count(len(s.buf), "byte"))
	}
	return fouled(TimedOut, "%s", late)
}

func (s *dialogue) unreadable(err error) *Foul {
	s.noteRest("")
	var long *game.TooLongError
	if errors.As(err, &long) {
		return fouled(Flooded, "sent more than %d bytes without completing an answer", long.Max)
	}
	return fouled(Unreadable, "sent no valid answer: %v", err)
}

// ended is the foul of a program whose output is at its end: has it exited, or only closed its output?
func (s *dialogue) ended(ctx context.Context) *Foul {
	s.noteRest("")
	switch {
	case !s.exits():
		return fouled(Closed, "closed its standard output and lives on")
	case stoppedTogether(ctx, s.process.Exit()):
		return interrupted(ctx)
	}
	return fouled(Crashed, "%s before the end of the game", s.process.Exit())
}

func (s *dialogue) Close(grace time.Duration) Postmortem {
	s.unwatch()
	after := s.stop(grace)
	after.LastLines = s.tail.Texts()
	return after
}

func (s *dialogue) note(sent bool, message []byte) {
	s.tail.Add(sent, bytes.TrimLeft(message, " \t\r\n")) // what an answer before had left behind
	s.pass(Message{Sent: sent, Text: message})
}

// noteRest notes what was read and is no answer; cut: because more could have come.
func (s *dialogue) noteRest(heard Heard) {
	if len(s.buf) > 0 {
		s.tail.Add(false, bytes.TrimLeft(s.buf, " \t\r\n"))
		s.pass(Message{Text: s.buf, Heard: heard})
	}
}
