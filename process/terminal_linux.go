package process

import (
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

const hasTerminals = true

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// newTerminal makes a pseudo-terminal. Our ends are plain descriptors as those of pipes are.
func newTerminal() (sink, source, *os.File, error) {
	ours, theirs, err := pty.Open()
	if err != nil {
		return nil, nil, nil, err
	}
	defer ours.Close()
	fail := func(err error) (sink, source, *os.File, error) {
		theirs.Close()
		return nil, nil, nil, err
	}
	if err := cook(theirs); err != nil {
		return fail(err)
	}
	in, err := unix.FcntlInt(ours.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return fail(os.NewSyscallError("fcntl", err))
	}
	out, err := unix.FcntlInt(ours.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		unix.Close(in)
		return fail(os.NewSyscallError("fcntl", err))
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err == nil {
		err = unix.SetNonblock(in, true) // both: they share one open file
	}
	if err != nil {
		unix.Close(in)
		unix.Close(out)
		return fail(err)
	}
	return &keyboard{rawSink{fd: in}}, &rawSource{fd: out, wake: wake}, theirs, nil
}

// keyboard is our end of a program's terminal, for writing.
type keyboard struct{ rawSink }

// Close types the end of input, as far as the program has left room for it.
func (k *keyboard) Close() error {
	unix.Write(k.fd, []byte(endOfInput))
	return k.rawSink.Close()
}
