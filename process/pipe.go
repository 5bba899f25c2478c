package process

import (
	"io"
	"time"
)

// source is our end of a program's standard output.
type source interface {
	// read waits until there is something to read, the deadline or an interruption, in this
	// order of precedence; the errors are io.EOF, os.ErrDeadlineExceeded and errInterrupted.
	read(buf []byte, deadline time.Time) (int, error)
	// interrupt makes all reads return at once, from now on.
	interrupt()
	io.Closer
}

// sink is our end of a program's standard input.
type sink interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
}
