//go:build !linux

package process

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// stream is a pipe with deadlines: the file itself, or on Windows what stands in for it.
type stream interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

func newSink() (sink, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &deadlinedSink{writeEnd(w)}, r, nil
}

type deadlinedSink struct{ stream }

func (s *deadlinedSink) write(b []byte, deadline time.Time) (int, error) {
	s.SetWriteDeadline(deadline)
	return s.Write(b)
}

func newSource() (source, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &deadlinedSource{stream: readEnd(r)}, w, nil
}

type deadlinedSource struct {
	stream
	interrupted atomic.Bool
}

// lastLook is how long read looks once more after its deadline. The timer may have fired while
// this process had no processor; what the program had written by then was in time.
const lastLook = time.Millisecond

func (s *deadlinedSource) read(buf []byte, deadline time.Time) (int, error) {
	s.SetReadDeadline(deadline)
	if s.interrupted.Load() { // asked after the deadline is set, or one in between were overlooked
		return 0, errInterrupted
	}
	n, err := s.Read(buf)
	if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	if s.interrupted.Load() {
		return 0, errInterrupted
	}
	s.SetReadDeadline(time.Now().Add(lastLook))
	return s.Read(buf)
}

func (s *deadlinedSource) interrupt() {
	s.interrupted.Store(true)
	s.SetReadDeadline(time.Unix(1, 0))
}
