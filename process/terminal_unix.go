//go:build unix

package process

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// endOfInput is what closing the program's input types: ^D twice, since the first only ends a line
// that was begun. The program can go on writing until it is killed.
const endOfInput = "\x04\x04"

const (
	terminalRows    = 24
	terminalColumns = 80
)

// newTerminal makes a pseudo-terminal. Our ends are files with deadlines of their own.
func newTerminal() (sink, source, *os.File, error) {
	ours, theirs, err := pty.Open()
	if err != nil {
		return nil, nil, nil, err
	}
	defer ours.Close()
	if err := cook(theirs); err != nil {
		theirs.Close()
		return nil, nil, nil, err
	}
	var ends [2]*os.File
	for i := range ends {
		fd, err := unix.FcntlInt(ours.Fd(), unix.F_DUPFD_CLOEXEC, 0)
		if err == nil {
			err = unix.SetNonblock(fd, true)
		}
		if err != nil {
			closeAll(ends[:i])
			theirs.Close()
			return nil, nil, nil, os.NewSyscallError("fcntl", err)
		}
		ends[i] = os.NewFile(uintptr(fd), "terminal")
	}
	return &keyboard{streamSink{ends[0]}}, &streamSource{stream: screen{ends[1]}}, theirs, nil
}

// keyboard is our end of a program's terminal, for writing.
type keyboard struct{ streamSink }

// Close types the end of input, as far as the program has left room for it.
func (k *keyboard) Close() error {
	k.write([]byte(endOfInput), time.Time{})
	return k.streamSink.Close()
}

// screen is our end for reading. The end of output comes as EIO.
type screen struct{ *os.File }

func (s screen) Read(b []byte) (int, error) { return readScreen(s.File, b) }

// readScreen reads again after the first EIO: Linux looks for output before it looks whether the other end is closed,
// and reports the end to whoever came between the two although something was written before it. Of 200,000 programs
// that write four lines and close, 4 lost lines by that.
func readScreen(from io.Reader, b []byte) (int, error) {
	n, err := from.Read(b)
	if errors.Is(err, syscall.EIO) {
		n, err = from.Read(b)
	}
	if errors.Is(err, syscall.EIO) {
		err = io.EOF
	}
	return n, err
}

// cook sets a terminal to what terminal.go describes. The file may be in non-blocking mode, which
// the program would inherit.
func cook(f *os.File) error {
	fd := int(f.Fd())
	if err := unix.SetNonblock(fd, false); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return os.NewSyscallError("tcgetattr", err)
	}
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ISIG
	t.Lflag |= unix.ICANON
	t.Iflag &^= unix.IXON | unix.IXOFF
	t.Oflag &^= unix.OPOST
	t.Cc[unix.VEOF] = endOfInput[0]
	if err := unix.IoctlSetTermios(fd, setTermios, t); err != nil {
		return os.NewSyscallError("tcsetattr", err)
	}
	return pty.Setsize(f, &pty.Winsize{Rows: terminalRows, Cols: terminalColumns})
}
