package referee

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
)

// anew is the seat of a program that is started for each question: the question is its arguments and
// the whole of its input, its output up to the end is the answer. Between questions nothing runs.
//
// What counts is the output. A process that has given a valid answer may exit as it likes, with
// whatever code; one whose answer is not valid and that did not exit with code 0 has crashed.
type anew struct {
	side      game.Side
	command   process.Command
	end       game.OneShotEnd
	allowance time.Duration // for starting, added to the deadline of each question
	watch     func(Message) // may be nil

	lines lines
	last  Postmortem // of the latest process
	err   error      // the first failure to clean up behind one
}

// Tell lets the protocol note what has happened; nobody is there to be told.
func (s *anew) Tell(e game.Event, v game.View) { s.end.Tell(e, v) }

// Ask runs one process.
func (s *anew) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	arguments, input := s.end.Question(q.Kind, q.View)
	running, err := process.Start(s.command.With(arguments...))
	if err != nil {
		return game.Answer{}, fouled(Void, "the process for a question to player %v cannot be started: %v", s.side, err)
	}
	defer context.AfterFunc(ctx, running.Interrupt)()
	s.note(Message{Sent: true, Text: input, Arguments: arguments})
	output, foul := s.converse(ctx, running, input, q)
	exited := foul == nil && awaitExit(running)
	exit, err := running.Stop(0)
	if s.err == nil {
		s.err = err
	}
	s.last = Postmortem{Program: true, Exit: exit}
	stderr, total := running.Stderr()
	s.last.Stderr, s.last.StderrBytes = string(stderr), total
	if foul == nil && stoppedTogether(ctx, exit) {
		foul = interrupted(ctx)
	}
	if foul != nil {
		s.note(Message{Text: output, Heard: HeardCut})
		return game.Answer{}, foul
	}
	s.note(Message{Text: output})
	return s.judge(output, exit, exited)
}

// converse writes the question and reads the output to its end.
func (s *anew) converse(ctx context.Context, running *process.Process, input []byte, q Question) (output []byte, foul *Foul) {
	deadline := q.Deadline.Add(s.allowance)
	if err := running.Write(input, deadline); errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fouled(TimedOut, "did not read its standard input within %s", s.time(q))
	} // any other error: it does not read, and may answer all the same
	running.CloseInput()
	for {
		if len(output) == cap(output) {
			output = append(make([]byte, 0, max(512, 2*cap(output))), output...)
		}
		n, err := running.Read(output[len(output):cap(output)], deadline)
		output = output[:len(output)+n]
		switch {
		case len(output) > maxAnswer:
			return output, fouled(Flooded, "wrote more than %d bytes for one answer", maxAnswer)
		case err == nil:
		case errors.Is(err, io.EOF):
			return output, nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return output, fouled(TimedOut, "had not exited after %s, and had written %d bytes", s.time(q), len(output))
		case errors.Is(err, process.ErrFlooded):
			return output, fouled(Flooded, "%v", err)
		case errors.Is(err, process.ErrInterrupted):
			return output, interrupted(ctx)
		default:
			return output, fouled(Void, "the output of player %v cannot be read: %v", s.side, err)
		}
	}
}

func (s *anew) time(q Question) string {
	return fmt.Sprintf("%s + %v for starting", q.time(), s.allowance)
}

// judge reads the answer in the output of a process.
func (s *anew) judge(output []byte, exit process.Exit, exited bool) (game.Answer, *Foul) {
	n, answer, err := s.end.Scan(output, true)
	why := "without an answer"
	if err != nil {
		why = fmt.Sprintf("without a valid answer: %v", err)
	}
	switch {
	case err == nil && n > 0:
		return answer, nil
	case errors.Is(err, game.ErrTooLong):
		return answer, fouled(Flooded, "%v", err)
	case !exited:
		return answer, fouled(Closed, "closed its standard output %s, and lived on", why)
	case exit.Code != 0:
		return answer, fouled(Crashed, "%s %s", exit, why)
	}
	return answer, fouled(Unreadable, "exited %s", why)
}

// Close has nothing to stop.
func (s *anew) Close(time.Duration) Postmortem {
	r := s.last
	r.LastLines, r.Err = s.lines.texts(), s.err
	return r
}

func (s *anew) note(m Message) {
	m.Side, m.At = s.side, time.Now()
	text := m.Text
	if len(m.Arguments) > 0 {
		text = fmt.Appendf(nil, "%q %s", m.Arguments, m.Text)
	}
	if m.Sent || len(text) > 0 {
		s.lines.add(m.Sent, text)
	}
	if s.watch != nil {
		s.watch(m)
	}
}
