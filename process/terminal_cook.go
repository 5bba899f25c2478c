//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package process

import (
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

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
