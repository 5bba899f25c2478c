package process

import (
	"io"
	"time"
)

// source is our end of a program's standard output.
type source interface {
	// read waits until there is something to read, an interruption or the deadline, in this order
	// of precedence; the errors are io.EOF, errInterrupted and os.ErrDeadlineExceeded.
	read(buf []byte, deadline time.Time) (int, error)
	// interrupt makes all reads return at once, from now on. Any goroutine may call it, at any time.
	interrupt()
	io.Closer
}

// sink is our end of a program's standard input.
type sink interface {
	// write waits for room until the deadline (os.ErrDeadlineExceeded), and says how much it has written.
	write(b []byte, deadline time.Time) (int, error)
	io.Closer
}
