package referee

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/text"
)

// oneShot is the seat of a program that is started for each question: the question is its arguments and
// the whole of its input, its output up to the end is the answer. Between questions nothing runs.
//
// What counts is the output. A process that has given a valid answer may exit as it likes, with
// whatever code; one whose answer is not valid and that did not exit with code 0 has crashed.
type oneShot struct {
	program
	command  process.Command
	end      game.OneShotEnd
	forStart time.Duration // for starting, added to the deadline of each question

	last   Postmortem     // of the latest process
	traces sandbox.Traces // of all of them
	err    error          // the first failure to clean up behind one
}

// Tell lets the protocol note what has happened; nobody is there to be told.
func (s *oneShot) Tell(e game.Event, v game.View) { s.end.Tell(e, v) }

func (s *oneShot) Ask(ctx context.Context, q Question) (a game.Answer, foul *Foul) {
	arguments, input := s.end.Question(q.Kind, q.View)
	started, err := process.Start(s.command.With(arguments...))
	if err != nil {
		return a, voided(ByMachine, "the process for a question to player %v cannot be started: %v", s.side, err)
	}
	s.process = started
	defer context.AfterFunc(ctx, s.process.Interrupt)()
	s.note(Message{Sent: true, Text: input, Arguments: arguments})
	s.buf, s.eof = nil, false
	s.clock.ask(nil, q, s.forStart)
	s.clock.restart()
	foul = s.converse(ctx, input, q)
	exited := foul == nil && s.exits()
	s.last = s.stop(0)
	s.traces.Add(s.last.Exit.Refused, s.last.Exit.Changed)
	if s.err == nil {
		s.err = s.last.Err
	}
	if foul == nil && stoppedTogether(ctx, s.last.Exit) {
		foul = interrupted(ctx)
	}
	if foul != nil {
		s.note(Message{Text: s.buf, Heard: HeardCut})
		return a, foul
	}
	s.note(Message{Text: s.buf})
	return s.answer(exited)
}

// converse writes the question and reads the output to its end.
func (s *oneShot) converse(ctx context.Context, input []byte, q Question) *Foul {
	deadline := q.Deadline.Add(s.forStart)
	if _, err := s.process.Write(input, deadline); errors.Is(err, os.ErrDeadlineExceeded) {
		return fouled(TimedOut, "did not read its standard input within %s", s.time(q))
	} // any other error: it does not read, and may answer all the same
	s.process.CloseInput()
	for {
		err := s.read(s.clock.deadline(deadline))
		switch {
		case len(s.buf) > maxAnswer:
			return fouled(Flooded, "wrote more than %d bytes for one answer", maxAnswer)
		case err == nil:
		case s.eof:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded) && s.clock.extend():
		case errors.Is(err, os.ErrDeadlineExceeded) && s.clock.spent:
			return s.starvedOut()
		case errors.Is(err, os.ErrDeadlineExceeded):
			s.lateness = s.clock.late()
			return fouled(TimedOut, "had not exited after %s, and had written %s", s.time(q), text.Count(len(s.buf), "byte"))
		default:
			return s.cannotRead(ctx, err)
		}
	}
}

func (s *oneShot) time(q Question) string {
	return fmt.Sprintf("%s + %v for starting", q.time(), s.forStart)
}

// allowance is what is added to the deadlines of questions.
func (s *oneShot) allowance() time.Duration { return s.forStart }

// answer finds the answer in the output of a process that has ended, or has closed its output.
func (s *oneShot) answer(exited bool) (game.Answer, *Foul) {
	n, answer, err := s.end.Scan(s.buf, true)
	why := "without an answer"
	if err != nil {
		why = fmt.Sprintf("without a valid answer: %v", err)
	}
	switch {
	case err == nil && n > 0:
		return answer, nil
	case exited && s.last.Exit.Lost:
		return answer, s.lost(s.last.Exit)
	case errors.Is(err, game.ErrTooLong):
		return answer, fouled(Flooded, "%v", err)
	case !exited:
		return answer, fouled(Closed, "closed its standard output %s, and lived on", why)
	case s.last.Exit.Code != 0:
		return answer, fouled(Crashed, "%s %s", s.last.Exit, why)
	}
	return answer, fouled(Unreadable, "exited %s", why)
}

func (s *oneShot) Close(time.Duration) Postmortem {
	after := s.last
	after.Late = s.lateness
	after.LastLines, after.Err = s.tail.Texts(), s.err
	after.Exit.Refused, after.Exit.Changed = s.traces.Refused, s.traces.Changed
	return after
}

func (s *oneShot) note(m Message) {
	said := m.Text
	if len(m.Arguments) > 0 {
		said = fmt.Appendf(nil, "%q %s", m.Arguments, m.Text)
	}
	if m.Sent || len(said) > 0 {
		s.tail.Add(m.Sent, said)
	}
	s.pass(m)
}
