//go:build !linux

package process

import (
	"errors"
	"os"
	"sync/atomic"
	"time"
)

// deadlined waits for a program's output with read deadlines.
type deadlined struct {
	conn interface {
		Read([]byte) (int, error)
		SetReadDeadline(time.Time) error
		Close() error
	}
	interrupted atomic.Bool
}

// lastLook is how long read looks once more after its deadline. The timer may have fired while
// this process had no processor; what the program had written by then was in time.
const lastLook = time.Millisecond

func (s *deadlined) read(buf []byte, deadline time.Time) (int, error) {
	s.conn.SetReadDeadline(deadline)
	if s.interrupted.Load() { // asked after the deadline is set, or one in between were overlooked
		return 0, errInterrupted
	}
	n, err := s.conn.Read(buf)
	if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	if s.interrupted.Load() {
		return 0, errInterrupted
	}
	s.conn.SetReadDeadline(time.Now().Add(lastLook))
	return s.conn.Read(buf)
}

func (s *deadlined) interrupt() {
	s.interrupted.Store(true)
	s.conn.SetReadDeadline(time.Unix(1, 0))
}

func (s *deadlined) Close() error { return s.conn.Close() }
