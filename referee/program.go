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
	"luzhanqi/process"
)

// maxAnswer is the most that a program may write without completing an answer.
const maxAnswer = 64 << 10

// exitNews is how long the news of a program's exit may take after the end of its output. It needs
// a millisecond; the rest is for a busy machine.
const exitNews = 500 * time.Millisecond

// program is the seat of a process.
type program struct {
	side    game.Side
	frame   game.Side // in which the program names squares
	process *process.Process
	end     game.RefereeEnd
	watch   func(Message) // may be nil
	unwatch func() bool   // no longer interrupt the process when the context ends

	buf   []byte // what was read and not yet used
	eof   bool   // nothing will be added to it
	lines lines

	unsent [][]byte // messages that did not fit into the pipe
	deaf   bool     // it has closed its input, or is gone
}

// newProgram starts a program for one game.
func newProgram(ctx context.Context, c process.Command, end game.RefereeEnd, side game.Side, watch func(Message)) (*program, error) {
	running, err := process.Start(c)
	if err != nil {
		return nil, err
	}
	return &program{
		side: side, frame: side, process: running, end: end, watch: watch,
		unwatch: context.AfterFunc(ctx, running.Interrupt),
	}, nil
}

// faces is in whose frame the program names squares.
func (s *program) faces() game.Side { return s.frame }

// Tell writes the messages that pass e on, and never waits: the clock that runs may be the other
// side's. What does not fit into the pipe of a program that does not read is kept until it is asked,
// and then written on its own clock.
func (s *program) Tell(e game.Event, v game.View) {
	for _, text := range s.end.Tell(e, v) {
		if len(s.unsent) > 0 || !s.send(text, time.Time{}) {
			s.unsent = append(s.unsent, bytes.Clone(text))
		}
	}
}

// send writes one message in one write; false: there was no room until the deadline.
func (s *program) send(text []byte, deadline time.Time) bool {
	if s.deaf {
		return true
	}
	err := s.process.Write(text, deadline)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	if err != nil {
		s.deaf = true // it may still have answered, or be about to
		return true
	}
	s.note(true, text, time.Now())
	return true
}

// Ask reads until there is a whole answer. Bytes that came before the question count: a program
// may answer early, at its own risk.
func (s *program) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
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
			s.note(false, s.buf[:n], time.Now())
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

// read adds what has arrived to buf.
func (s *program) read(deadline time.Time) error {
	if len(s.buf) == cap(s.buf) {
		s.buf = append(make([]byte, 0, max(512, 2*cap(s.buf))), s.buf...)
	}
	n, err := s.process.Read(s.buf[len(s.buf):cap(s.buf)], deadline)
	s.buf = s.buf[:len(s.buf)+n]
	return err
}

// readFoul judges an error of reading; nil for the end of the program's output, after which what it
// wrote before still counts.
func (s *program) readFoul(ctx context.Context, err error, q Question) *Foul {
	switch {
	case errors.Is(err, io.EOF):
		s.eof = true
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.noteRest(HeardCut)
		text := fmt.Sprintf("did not send %v within %s", q.Kind, q.time())
		if len(bytes.TrimSpace(s.buf)) > 0 {
			text += fmt.Sprintf("; it began an answer (%d bytes) and did not end it", len(s.buf))
		}
		return fouled(TimedOut, "%s", text)
	case errors.Is(err, process.ErrFlooded):
		return fouled(Flooded, "%v", err)
	case errors.Is(err, process.ErrInterrupted):
		return interrupted(ctx)
	}
	return fouled(Void, "the output of player %v cannot be read: %v", s.side, err)
}

func (s *program) unreadable(err error) *Foul {
	s.noteRest("")
	var long *game.TooLongError
	if errors.As(err, &long) {
		return fouled(Flooded, "sent more than %d bytes without completing an answer", long.Max)
	}
	return fouled(Unreadable, "sent no valid answer: %v", err)
}

// ended judges a program whose output is at its end: has it exited, or only closed its output?
func (s *program) ended(ctx context.Context) *Foul {
	s.noteRest("")
	switch {
	case !awaitExit(s.process):
		return fouled(Closed, "closed its standard output and lives on")
	case stoppedTogether(ctx, s.process.Exit()):
		return interrupted(ctx)
	}
	return fouled(Crashed, "%s before the end of the game", s.process.Exit())
}

// awaitExit waits for the exit that follows the end of the output, as long as such news may take.
func awaitExit(running *process.Process) bool {
	timer := time.NewTimer(exitNews)
	defer timer.Stop()
	select {
	case <-running.Exited():
		return true
	case <-timer.C:
		return false
	}
}

// Close stops the program.
func (s *program) Close(grace time.Duration) Postmortem {
	s.unwatch()
	exit, err := s.process.Stop(grace)
	stderr, total := s.process.Stderr()
	return Postmortem{Program: true, Exit: exit, LastLines: s.lines.texts(), Stderr: string(stderr), StderrBytes: total, Err: err}
}

func (s *program) note(sent bool, text []byte, at time.Time) {
	s.lines.add(sent, bytes.TrimLeft(text, " \t\r\n")) // what an answer before had left behind
	s.pass(Message{Side: s.side, Sent: sent, Text: text, At: at})
}

func (s *program) pass(m Message) {
	if s.watch != nil {
		s.watch(m)
	}
}

// noteRest notes what was read and is no answer; cut: because more could have come.
func (s *program) noteRest(heard Heard) {
	if len(s.buf) > 0 {
		s.lines.add(false, bytes.TrimLeft(s.buf, " \t\r\n"))
		s.pass(Message{Side: s.side, Text: s.buf, At: time.Now(), Heard: heard})
	}
}
