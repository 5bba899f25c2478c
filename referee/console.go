package referee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
)

// maxTalk is the most that a program that talks to a person may write without any of it being of
// use: boards, lists of moves, escape codes before every character. Four times a message's limit.
const maxTalk = 4 * maxAnswer

// escapes are the codes for colours and the cursor, which say nothing to people who read the last lines.
var escapes = regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]")

// console is the seat of a program that takes the referee for a person at a keyboard. It differs
// from any other program in when it is written to: not before it has asked, which only its silence
// can tell. Its time does not depend on what it writes: all deadlines are absolute.
type console struct {
	dialogue
	end      game.ConsoleEnd
	unheard  int  // bytes at the end of buf that are on no record yet
	answered bool // something was typed since the question
	wrote    bool // it has written something
	terminal bool // it is on a terminal, not on pipes
}

// Ask reads until there is a whole answer, and types what the program asks for. The silence that the
// referee waits for before it types is not the program's time, so the deadline is later by as much.
func (s *console) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	silence := s.end.Silence()
	s.clock.ask(s.process, q, silence)
	s.answered = false
	searched := false // all that there is was searched since the program fell silent
	for quiet := clock.Now(); ; {
		n, answer, err := s.end.Scan(s.buf, s.eof)
		if err != nil || n > 0 {
			heard := Heard("")
			if s.eof {
				heard = HeardEnd
			}
			return answer, s.use(heard, n, err)
		}
		if len(s.buf) > maxTalk {
			return answer, s.cutOff(fouled(Flooded, "wrote more than %d bytes of which nothing is a question or an answer", maxTalk))
		}
		deadline := s.clock.deadline(q.Deadline.Add(silence))
		wait := deadline
		if until := quiet.Add(silence); !searched && until.Before(deadline) {
			wait = until
		}
		if !s.eof {
			switch err := s.listen(wait); {
			case err == nil:
				quiet, searched = clock.Now(), false
				continue
			case errors.Is(err, io.EOF):
				continue
			case !errors.Is(err, os.ErrDeadlineExceeded):
				return answer, s.cutOff(s.cannotRead(ctx, err))
			case wait.Equal(deadline) && s.clock.extend():
				continue
			case s.clock.spent:
				return answer, s.cutOff(s.starvedOut())
			}
		}
		last := s.eof || wait.Equal(deadline)
		searched = true
		answer, found, foul := s.search(last, deadline)
		switch {
		case foul != nil || found:
			return answer, foul
		case s.eof:
			return answer, s.ended(ctx)
		case last:
			return answer, s.late(q)
		}
	}
}

// allowance is what is added to the deadlines of questions.
func (s *console) allowance() time.Duration { return s.end.Silence() }

// listen adds what has arrived to buf.
func (s *console) listen(deadline time.Time) error {
	before := len(s.buf)
	err := s.read(deadline)
	s.unheard += len(s.buf) - before
	s.wrote = s.wrote || len(s.buf) > before
	return err
}

// search lets the protocol find a question or an answer in all that there is, and types what it says.
func (s *console) search(last bool, deadline time.Time) (game.Answer, bool, *Foul) {
	heard := HeardPause
	if last {
		heard = HeardLast
	}
	n, typed, answer, found, err := s.end.Silent(s.buf, last)
	if foul := s.use(heard, n, err); foul != nil {
		return answer, false, foul
	}
	if !last && len(typed) > 0 {
		s.answered = true
		if s.say(typed); !s.send(deadline) {
			return answer, false, fouled(TimedOut, "does not read what is typed, and its terminal or pipe is full")
		}
	}
	return answer, found, nil
}

// use records what was heard and takes n bytes of it as used up, unless it is an error.
func (s *console) use(heard Heard, n int, err error) *Foul {
	s.record(heard)
	if err != nil {
		return s.unreadable(err)
	}
	s.show(s.buf[:n])
	s.buf = append(s.buf[:0], s.buf[n:]...)
	return nil
}

// record passes on what was not yet passed on, and how it came to be used.
func (s *console) record(heard Heard) {
	s.pass(Message{Text: s.buf[len(s.buf)-s.unheard:], Heard: heard})
	s.unheard = 0
}

// show keeps output for people, a line of it as a line.
func (s *console) show(output []byte) {
	output = escapes.ReplaceAll(output, nil)
	for line := range bytes.Lines(output) {
		s.tail.Add(false, line)
	}
}

func (s *console) unreadable(err error) *Foul {
	s.show(s.buf)
	if errors.Is(err, game.ErrTooLong) {
		return fouled(Flooded, "%v", err)
	}
	return fouled(Unreadable, "gave no valid answer: %v", err)
}

// cutOff ends with output that nothing is found in any more.
func (s *console) cutOff(f *Foul) *Foul {
	s.record(HeardCut)
	s.show(s.buf)
	return f
}

func (s *console) late(q Question) *Foul {
	s.show(s.buf)
	s.lateness = s.clock.late()
	late := fmt.Sprintf("did not show %v within %s", q.Kind, q.time())
	switch {
	case !s.wrote:
		late += "; it has written nothing"
		if !s.terminal {
			late += ": what it prints may wait in its own buffer, as it does on a pipe; an adapter with pty = true gives it a terminal"
		}
	case !s.answered:
		late += "; nothing that it wrote was recognised as a question"
	}
	if len(s.buf) > 0 {
		late += fmt.Sprintf("; the last %d bytes are not understood", len(s.buf))
	}
	return fouled(TimedOut, "%s", late)
}

// ended is the foul of a program whose output is at its end.
func (s *console) ended(ctx context.Context) *Foul {
	s.show(s.buf)
	s.buf = s.buf[:0] // shown and recorded
	return s.dialogue.ended(ctx)
}
