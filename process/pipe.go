package process

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"luzhanqi/clock"
)

// source is our end of a program's standard output.
type source interface {
	// read waits until there is something to read, an interruption or the deadline, in this order
	// of precedence; the errors are io.EOF, errInterrupted and os.ErrDeadlineExceeded. A deadline that is
	// over, also the zero time, means: what is there now.
	read(buf []byte, deadline time.Time) (int, error)
	// interrupt makes all reads return at once, from now on. Any goroutine may call it, at any time.
	interrupt()
	io.Closer
}

// sink is our end of a program's standard input.
type sink interface {
	// write waits for room until the deadline (os.ErrDeadlineExceeded), and says how much it has written. A
	// deadline that is over, also the zero time, means: what there is room for now.
	write(b []byte, deadline time.Time) (int, error)
	// unread says how many bytes are yet to be read, as far as this system tells: else 0.
	unread() int
	io.Closer
}

// stream is an end of a pipe or a terminal that has deadlines of its own: a file, or on Windows what stands
// in for it. Where there is nothing faster (pipe_linux.go), it is the source and the sink.
type stream interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// lastLook is how long a stream is tried when the deadline is over. The timer may have fired while this
// process had no processor: what the program had written or made room for by then was in time. And a stream
// is not tried at all with a deadline that is over; the zero time would even mean to it that there is none.
const lastLook = time.Millisecond

// lastLooks tries a stream until a time that is over soon, and once more with ten times as long, and again, if it had no processor
// meanwhile: then it may not have been tried at all.
func lastLooks(try func(until time.Time) error) error {
	for look := lastLook; ; look *= 10 {
		begun := time.Now()
		err := try(begun.Add(look))
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begun) < 2*look || look >= 100*lastLook {
			return err
		}
	}
}

type streamSink struct{ stream }

func (*streamSink) unread() int { return 0 }

func (s *streamSink) write(b []byte, deadline time.Time) (int, error) {
	written := 0
	try := func(until time.Time) error {
		s.SetWriteDeadline(until)
		n, err := s.Write(b[written:])
		written += n
		return err
	}
	for left := clock.Until(deadline); left > lastLook; left = clock.Until(deadline) { // once, but for pauses
		if err := try(time.Now().Add(left)); !errors.Is(err, os.ErrDeadlineExceeded) {
			return written, err
		}
	}
	return written, lastLooks(try)
}

type streamSource struct {
	stream
	interrupted atomic.Bool
}

// past is a deadline that is over.
var past = time.Unix(1, 0)

func (s *streamSource) read(buf []byte, deadline time.Time) (int, error) {
	for left := clock.Until(deadline); left > 0; left = clock.Until(deadline) { // once, but for pauses
		s.SetReadDeadline(time.Now().Add(left))
		if s.interrupted.Load() { // asked after the deadline is set, or one in between were overlooked
			break
		}
		n, err := s.Read(buf)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
	n := 0
	err := lastLooks(func(until time.Time) (err error) {
		s.SetReadDeadline(until)
		n, err = s.Read(buf)
		return err
	})
	if errors.Is(err, os.ErrDeadlineExceeded) && s.interrupted.Load() {
		err = errInterrupted
	}
	return n, err
}

func (s *streamSource) interrupt() {
	s.interrupted.Store(true)
	s.SetReadDeadline(past)
}
