package process

import (
	"io"
	"time"
)

// pipe is our end of one of a program's three streams. Every read and write has a deadline.
type pipe interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}
