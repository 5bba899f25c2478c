package seat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// Seat is a referee's seat whose program is at the other end of a link. The clock is this side's, from the question's sending to
// the answer's arrival; while the connection is broken it runs on, but what that has cost in a turn is given back, up to Grace.
type Seat struct {
	link  *Link
	end   game.RefereeEnd
	side  game.Side
	frame game.Side
	grace time.Duration
	watch func(referee.Message)

	buf    []byte
	tail   referee.Tail
	full   bool
	fault  string        // what the program has done wrong
	broken time.Duration // when the latest question was asked
}

// maxAnswer is the most that a program may send without completing an answer.
const maxAnswer = 64 << 10

// New seats a program; p is a dialogue. Message gets what is exchanged, and may be nil.
func New(l *Link, p game.Protocol, side game.Side, limits game.Limits, grace time.Duration, message func(referee.Message)) *Seat {
	return &Seat{link: l, end: p.RefereeEnd(side, limits), side: side, frame: p.Frame(side), grace: grace, watch: message}
}

// Tell sends what is to be said, without waiting.
func (s *Seat) Tell(e game.Event, v game.View) {
	if e.Kind == game.EventIllegal && e.Err != nil {
		s.fault = e.Err.Error()
	} else if e.Kind == game.EventMoved && e.Side == s.side {
		s.fault = "" // it had another try
	}
	for _, message := range s.end.Tell(e, v) {
		if _, err := s.link.Write(message); err != nil {
			s.full = s.full || errors.Is(err, ErrFull)
			continue
		}
		s.note(true, message)
	}
}

// Faces is the side in whose frame the program names squares.
func (s *Seat) Faces() game.Side { return s.frame }

// Allowance is how much later than its deadline an answer may come.
func (s *Seat) Allowance() time.Duration { return s.grace }

// Connection is how long the latest round trip was, and for how long the connection was broken in the latest turn.
func (s *Seat) Connection() (roundTrip, broken time.Duration) {
	state := s.link.State()
	return state.RoundTrip, state.Broken - s.broken
}

// Ask waits for an answer.
func (s *Seat) Ask(ctx context.Context, q referee.Question) (game.Answer, *referee.Foul) {
	a, foul := s.ask(ctx, q)
	if foul != nil {
		s.fault = foul.Text
	}
	return a, foul
}

func (s *Seat) ask(ctx context.Context, q referee.Question) (game.Answer, *referee.Foul) {
	s.broken = s.link.State().Broken // a break that goes on counts from here
	for {
		n, answer, err := s.end.Scan(s.buf, false)
		if err != nil {
			s.rest("")
			var long *game.TooLongError
			if errors.As(err, &long) {
				return answer, fouled(referee.Flooded, "sent more than %d bytes without completing an answer", long.Max)
			}
			return answer, fouled(referee.Unreadable, "sent no valid answer: %v", err)
		}
		if n > 0 {
			s.note(false, s.buf[:n])
			s.buf = append(s.buf[:0], s.buf[n:]...)
			return answer, nil
		}
		if len(s.buf) > maxAnswer {
			s.rest("")
			return answer, fouled(referee.Flooded, "sent more than %d bytes without completing an answer", maxAnswer)
		}
		if foul := s.read(ctx, q); foul != nil {
			s.rest(referee.HeardCut)
			return answer, foul
		}
	}
}

// until is when an answer has to be there, as the link is now: what the connection's being broken has cost is given back, once.
func (s *Seat) until(q referee.Question, state State) time.Time {
	if state.Now == 0 {
		return q.Deadline.Add(min(state.Broken-s.broken, s.grace))
	}
	until := time.Now().Add(s.grace - state.Now)
	if last := q.Deadline.Add(s.grace); last.Before(until) {
		return last
	}
	return until
}

// read waits for more, or for something else to happen to the link.
func (s *Seat) read(ctx context.Context, q referee.Question) *referee.Foul {
	state := s.link.State()
	until := s.until(q, state)
	if s.full && state.Now == 0 { // else what had arrived is read all the same
		return fouled(referee.TimedOut, "does not read what it is told")
	}
	chunk := make([]byte, 4<<10)
	n, err := s.link.Read(ctx, chunk, until)
	s.buf = append(s.buf, chunk[:n]...)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		if reason := s.link.State().Reason; reason != "" {
			return fouled(referee.Crashed, "ended before the end of the game; its bridge says: %s", text.Printable(text.Cut(reason, 200)))
		}
		return fouled(referee.Disconnected, "hung up before the end of the game")
	case ctx.Err() != nil:
		return &referee.Foul{Code: referee.Void, By: referee.ByInterruption, Text: fmt.Sprintf("interrupted: %v", context.Cause(ctx))}
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return &referee.Foul{Code: referee.Void, By: referee.ByMachine, Text: fmt.Sprintf("cannot read what player %v sends: %v", s.side, err)}
	}
	state = s.link.State()
	if state.Now >= s.grace {
		return fouled(referee.Disconnected, "had no connection for %v, which is the grace", s.grace)
	}
	if until.Before(s.until(q, state)) { // it has been broken meanwhile
		return nil
	}
	late := fmt.Sprintf("did not send %v within %v + %v grace", q.Kind, q.Limit, q.Deadline.Sub(q.Start)-q.Limit)
	if broken := state.Broken - s.broken; broken > 0 {
		late += fmt.Sprintf(" + %v without a connection", min(broken, s.grace).Round(time.Millisecond))
	}
	return fouled(referee.TimedOut, "%s", late)
}

func fouled(code referee.Code, format string, args ...any) *referee.Foul {
	return &referee.Foul{Code: code, Text: fmt.Sprintf(format, args...)}
}

// Close ends the link.
func (s *Seat) Close(time.Duration) referee.Postmortem {
	s.link.End(s.fault)
	return referee.Postmortem{LastLines: s.tail.Texts()}
}

func (s *Seat) note(sent bool, message []byte) {
	s.tail.Add(sent, message)
	if s.watch != nil {
		s.watch(referee.Message{Side: s.side, Sent: sent, Text: message, At: time.Now()})
	}
}

// rest notes what came and is no answer.
func (s *Seat) rest(heard referee.Heard) {
	if len(s.buf) > 0 {
		s.tail.Add(false, s.buf)
		if s.watch != nil {
			s.watch(referee.Message{Side: s.side, Text: s.buf, Heard: heard, At: time.Now()})
		}
	}
}
