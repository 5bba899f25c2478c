package referee

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/process/starvation"
)

// maxAnswer is the most that a program may write without completing an answer.
const maxAnswer = 64 << 10

// program holds what the seats of programs have in common, whatever the kind of their conversation: a process, its
// output, and the observer.
type program struct {
	side     game.Side
	frame    game.Side     // in which the program names squares
	watch    func(Message) // may be nil
	tail     Tail
	clock    turnClock
	lateness *Lateness // after it lost by time; nil: nothing is known

	process conversant // of a seat that starts one for each question: the latest
	buf     []byte     // what was read and not yet used
	eof     bool       // nothing will be added to it
}

// conversant is what a seat needs of a [process.Process].
type conversant interface {
	Read(buf []byte, deadline time.Time) (int, error)
	Write(b []byte, deadline time.Time) (int, error)
	Unread() int
	CloseInput()
	Interrupt()
	Starving() starvation.Program
	Hold()
	LetGo()
	Exited() <-chan struct{}
	Exit() process.Exit
	Stderr() (kept []byte, total int64)
	Stop(grace time.Duration) (process.Exit, error)
	StopOwn(grace time.Duration) (process.Exit, error)
	Farewell() []byte
}

// newSeat seats a program in the way in which its protocol is spoken: one process that reads and
// answers messages, one that believes that it talks to a person, or one for each question.
func newSeat(ctx context.Context, e Entrant, side game.Side, limits game.Limits, watch func(Message)) (Seat, error) {
	p := e.Protocol
	c := commandFor(e.Command, p).With(p.Arguments(side, limits)...)
	end := p.RefereeEnd(side, limits)
	common := program{side: side, frame: p.Frame(side), watch: watch, clock: turnClock{wall: limits.Clock == game.WallClock}}
	if p.Kind() == game.OneShot {
		c.Ready = nil // each question has arguments of its own
		return &oneShot{program: common, command: c, end: end.(game.OneShotEnd), forStart: limits.Start}, nil
	}
	if p.Kind() == game.Console {
		common.tail.Max = consoleTail
	}
	started, err := process.Start(c)
	if err != nil {
		return nil, err
	}
	common.process = started
	d := dialogue{program: common, end: end, oneByOne: e.OneByOne, unwatch: context.AfterFunc(ctx, common.process.Interrupt)}
	if p.Kind() == game.Console {
		return &console{dialogue: d, end: end.(game.ConsoleEnd), terminal: c.Terminal}, nil
	}
	return &d, nil
}

// commandFor says how the program of a protocol is started.
func commandFor(c process.Command, p game.Protocol) process.Command {
	c.Terminal = c.Terminal || p.Terminal()
	return c
}

// Faces returns the side in whose frame the program names squares.
func (s *program) Faces() game.Side { return s.frame }

// read adds what has arrived to buf. It looks at the program meanwhile, when that is due.
func (s *program) read(deadline time.Time) error {
	if len(s.buf) == cap(s.buf) {
		s.buf = append(make([]byte, 0, max(512, 2*cap(s.buf))), s.buf...)
	}
	for {
		until := s.clock.due(deadline)
		n, err := s.process.Read(s.buf[len(s.buf):cap(s.buf)], until)
		s.buf = s.buf[:len(s.buf)+n]
		if errors.Is(err, io.EOF) {
			s.eof = true
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) || until.Equal(deadline) {
			return err
		}
		s.clock.look(s.process)
	}
}

// starved is what others took from the program since it was asked.
func (s *program) starved() time.Duration {
	starved := s.clock.starved()
	s.clock.remember(s.process)
	return starved
}

// starvedOut is the foul of a turn to which nothing more is given. It does not say how much: two voids in a row for the same
// reason end a match, unless the other side is the reason.
func (s *program) starvedOut() *Foul {
	if used, much := s.clock.rival.took(s.clock.given); much {
		return voided(ByOpponent, "player %v could not get a processor: its turn lasted %d times its limit, and player %v used %v of "+
			"processor time meanwhile", s.side, MaxGiven, s.side.Other(), used.Round(time.Millisecond))
	}
	return voided(ByMachine, "player %v could not get a processor: its turn lasted %d times its limit, and others took more than is given back; "+
		"play fewer games at a time, or on a machine with less other work", s.side, MaxGiven)
}

// lost is the foul of a program that has died with what supervises all of them.
func (s *program) lost(exit process.Exit) *Foul {
	return voided(ByMachine, "player %v %v", s.side, exit)
}

// cannotRead is the foul of an error of reading that is neither the end of the output nor of the time.
func (s *program) cannotRead(ctx context.Context, err error) *Foul {
	switch {
	case errors.Is(err, process.ErrFlooded):
		return fouled(Flooded, "%v", err)
	case errors.Is(err, process.ErrInterrupted):
		return interrupted(ctx)
	}
	return voided(ByMachine, "the output of player %v cannot be read: %v", s.side, err)
}

// maxExitNews is how long the system may take to report a program's exit after the end of its output. It needs a
// millisecond; the rest is for a busy machine, on which half a second was too short for a program that had been aborted.
const maxExitNews = 2 * time.Second

// exits waits for the exit that follows the end of the output, as long as such news may take.
func (s *program) exits() bool {
	return clock.Wait(s.process.Exited(), maxExitNews)
}

// stop ends the process.
func (s *program) stop(grace time.Duration) Postmortem {
	stop := s.process.StopOwn
	if s.clock.wall {
		stop = s.process.Stop
	}
	exit, err := stop(grace)
	stderr, total := s.process.Stderr()
	return Postmortem{Program: true, Exit: exit, Stderr: string(stderr), StderrBytes: total, Err: err}
}

// pass hands a message to the observer.
func (s *program) pass(m Message) {
	if s.watch != nil {
		m.Side, m.At = s.side, time.Now()
		s.watch(m)
	}
}
