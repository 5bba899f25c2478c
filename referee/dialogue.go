package referee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/text"
)

// dialogue is the seat of a program that runs for the whole game: it reads messages and writes answers.
type dialogue struct {
	program
	end      game.RefereeEnd
	oneByOne bool        // each message in a write of its own, when those before it were read
	unwatch  func() bool // no longer interrupt the process when the context ends

	unsent []byte // messages that are not yet written, or not as a whole
	ends   []int  // of each of them, in unsent
	begun  int    // bytes of the first of them that are written
	over   bool   // nothing will be asked any more
	later  bool   // what is said of the opponent's turn may wait for its end
	prompt int    // of how many of the opponent's turns it does not
	deaf   bool   // the program has closed its input, or is gone
}

// Tell writes what there is to say, and never waits: the clock that runs may be the other side's. What is said of a
// move waits for what follows at once, a turn or the end: each write wakes the program, and that costs more than
// all else in a ply. What does not fit into the pipe of a program that does not read is kept until it is asked, and then
// written on its own clock.
func (s *dialogue) Tell(e game.Event, v game.View) {
	for _, message := range s.end.Tell(e, v) {
		s.say(message)
	}
	if s.waits(e) {
		return
	}
	s.over = e.Kind == game.EventEnd
	s.send(time.Time{})
}

// promptTurns is for how many of the opponent's turns a program is told of them at once after one that lasted: a program
// whose opponent thinks now and then waits a few milliseconds for a message once in a hundred turns at most.
const promptTurns = 100

// waits says whether what was said of an event is written with what follows.
//
// In a game on one processor, that is so of the opponent's turn, too, until that lasts: a program that is woken for a message to
// which it has no answer costs two switches of the processor and a wake-up, in a ply that otherwise has two switches. Its opponent
// has mostly answered by then, on the same processor, so it would get the message no sooner.
func (s *dialogue) waits(e game.Event) bool {
	switch {
	case s.oneByOne:
		return false
	case e.Kind == game.EventMoved:
		return true
	case !s.later || e.Kind != game.EventTurn || e.Side == s.side:
		return false
	}
	s.prompt = max(0, s.prompt-1)
	return s.prompt == 0
}

// turnLasts writes what has waited for the end of the opponent's turn.
func (s *dialogue) turnLasts() {
	if s.later && len(s.ends) > 0 {
		s.prompt = promptTurns
		s.send(time.Time{})
	}
}

// A program that loses what it reads together is given the next message when it has read the ones before, in its own turn: it waits
// for that on its own clock, for a quarter of the time left and a second at most, so that one which reads late, or never, can be asked all the
// same. Nobody can be told when a pipe is empty, so it is looked at again and again.
const (
	firstPause   = 50 * time.Microsecond
	longestPause = time.Millisecond
	mostPatience = time.Second
)

// apart says whether the next message is to be written: what was written before is read, or patience has come.
func (s *dialogue) apart(patience time.Time) bool {
	for pause := firstPause; s.process.Unread() > 0; pause = min(2*pause, longestPause) {
		if !clock.Now().Before(patience) {
			return s.over || !patience.IsZero()
		}
		time.Sleep(pause)
	}
	return true
}

// open has the program told how the game begins.
func (s *dialogue) open(o game.Opening, start game.Position) {
	if end, ok := s.end.(game.OpeningEnd); ok {
		end.Open(o, start)
	}
}

// conversing is the process that may be paused while the other side is asked.
func (s *dialogue) conversing() conversant { return s.process }

// say adds a message to what is to be written.
func (s *dialogue) say(message []byte) {
	s.unsent = append(s.unsent, message...)
	s.ends = append(s.ends, len(s.unsent))
}

// send writes what is to be written; false: there was not enough room until the deadline. Without a deadline it does not wait.
func (s *dialogue) send(deadline time.Time) bool {
	var patience time.Time
	if s.oneByOne && !deadline.IsZero() {
		now := clock.Now()
		patience = now.Add(min(mostPatience, deadline.Sub(now)/4))
	}
	for len(s.ends) > 0 && !s.deaf {
		upTo := len(s.unsent)
		if s.oneByOne {
			if upTo = s.ends[0]; s.begun == 0 && !s.apart(patience) {
				return false
			}
		}
		n, err := s.process.Write(s.unsent[s.begun:upTo], deadline)
		s.sent(n)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return false
		}
		s.deaf = err != nil // it may still have answered, or be about to
	}
	if s.deaf {
		s.unsent, s.ends, s.begun = s.unsent[:0], s.ends[:0], 0
	}
	return true
}

// sent notes the messages of which n more bytes were the last ones.
func (s *dialogue) sent(n int) {
	s.begun += n
	whole, from := 0, 0
	for ; whole < len(s.ends) && s.ends[whole] <= s.begun; whole++ {
		s.note(true, s.unsent[from:s.ends[whole]])
		from = s.ends[whole]
	}
	if whole == 0 { // what a program does not read may be long, and is moved only for a reason
		return
	}
	s.begun -= from
	s.unsent = slices.Delete(s.unsent, 0, from)
	s.ends = slices.Delete(s.ends, 0, whole)
	for i := range s.ends {
		s.ends[i] -= from
	}
}

// Ask reads until there is a whole answer. Bytes that came before the question count: a program
// may answer early, at its own risk.
func (s *dialogue) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	s.clock.ask(s.process, q, 0)
	if !s.send(q.Deadline) {
		return game.Answer{}, fouled(TimedOut, "does not read its standard input, which is full")
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
		if err := s.read(s.clock.deadline(q.Deadline)); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) && s.clock.extend() {
				continue
			}
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
	if s.clock.spent {
		return s.starvedOut()
	}
	s.lateness = s.clock.late()
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
	case s.process.Exit().Lost:
		return s.lost(s.process.Exit())
	}
	return fouled(Crashed, "%s before the end of the game", s.process.Exit())
}

func (s *dialogue) Close(grace time.Duration) Postmortem {
	s.unwatch()
	after := s.stop(grace)
	if s.lateness != nil {
		n, _, err := s.end.Scan(append(s.buf, s.process.Farewell()...), true)
		s.lateness.Unflushed = n > 0 && err == nil
		after.Late = s.lateness
	}
	after.LastLines = s.tail.Texts()
	return after
}

func (s *dialogue) note(sent bool, message []byte) {
	s.tail.Add(sent, trimLeft(message)) // of what an answer before had left behind
	s.pass(Message{Sent: sent, Text: message})
}

// trimLeft leaves blanks out, of which there mostly are none.
func trimLeft(message []byte) []byte {
	if len(message) == 0 || message[0] > ' ' {
		return message
	}
	return bytes.TrimLeft(message, " \t\r\n")
}

// noteRest notes what was read and is no answer; cut: because more could have come.
func (s *dialogue) noteRest(heard Heard) {
	if len(s.buf) > 0 {
		s.tail.Add(false, trimLeft(s.buf))
		s.pass(Message{Text: s.buf, Heard: heard})
	}
}
