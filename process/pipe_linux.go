package process

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/clock"
)

// Our ends of a program's standard input and output stay out of Go's network poller: they are plain
// non-blocking descriptors, and waiting is done in ppoll(2). In the poller, every message
// that the program reads and every byte that it writes is an event that wakes an idle thread for
// nothing: a fifth of the referee's samples in a profile. Nobody pays for the blocked thread, since a game has nothing else
// to do while its program thinks.

// rawPipe makes a pipe of which our end does not block; the other is the program's.
func rawPipe(oursWrites bool) (ours int, theirs *os.File, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return 0, nil, os.NewSyscallError("pipe2", err)
	}
	ours, other := fds[0], fds[1]
	if oursWrites {
		ours, other = fds[1], fds[0]
	}
	if err := unix.SetNonblock(ours, true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return 0, nil, os.NewSyscallError("fcntl", err)
	}
	return ours, os.NewFile(uintptr(other), "pipe"), nil
}

func newSink() (sink, *os.File, error) {
	fd, theirs, err := rawPipe(true)
	return &rawSink{fd: fd}, theirs, err
}

type rawSink struct{ fd int }

// write sends b in one system call if the pipe has room, as it has unless the program does not read.
func (s *rawSink) write(b []byte, deadline time.Time) (int, error) {
	for written := 0; written < len(b); {
		n, err := unix.Write(s.fd, b[written:])
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			if err := wait([]unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLOUT}}, deadline); err != nil {
				return written, err
			}
		case err != nil:
			return written, os.NewSyscallError("write", err)
		default:
			written += n
		}
	}
	return len(b), nil
}

func (s *rawSink) unread() int {
	end := []unix.PollFd{{Fd: int32(s.fd)}}
	if n, err := unix.Poll(end, 0); n > 0 || err != nil { // nobody will read it
		return 0
	}
	n, err := unix.IoctlGetInt(s.fd, unix.TIOCINQ) // FIONREAD
	if err != nil {
		return 0
	}
	return n
}

func (s *rawSink) Close() error {
	fd := s.fd
	s.fd = -1
	return unix.Close(fd)
}

func newSource() (source, *os.File, error) {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, nil, os.NewSyscallError("eventfd", err)
	}
	fd, theirs, err := rawPipe(false)
	if err != nil {
		unix.Close(wake)
		return nil, nil, err
	}
	return &rawSource{fd: fd, wake: wake}, theirs, nil
}

type rawSource struct {
	fd      int
	untried int            // how many reads are yet to come that wait without having tried
	fds     [2]unix.PollFd // of a read; here, since what a system call is given would be allocated each time
	mu      sync.Mutex     // guards wake: after Close its number may belong to another file
	wake    int            // an eventfd that becomes readable for good when reads are interrupted
}

func (s *rawSource) read(buf []byte, deadline time.Time) (int, error) {
	if s.untried > 0 {
		s.untried--
	} else {
		n, err := unix.Read(s.fd, buf)
		switch {
		case n > 0:
			return n, nil
		case err != unix.EAGAIN && err != unix.EINTR:
			return 0, endOf(err)
		}
		s.untried = tries
	}
	s.fds = [2]unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLIN}, {Fd: int32(s.wake), Events: unix.POLLIN}}
	for {
		if err := wait(s.fds[:], deadline); err != nil {
			return 0, err
		}
		if s.fds[0].Revents == 0 {
			return 0, errInterrupted
		}
		n, err := unix.Read(s.fd, buf)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
		case n > 0:
			return n, nil
		default:
			return 0, endOf(err)
		}
	}
}

// tries is of how many reads one tries first, while answers are not there before they are waited for. They mostly are where the
// program runs on the same processor: it has answered before what woke it returns. A try for nothing costs a third of a
// microsecond, a wait for nothing three times as much.
const tries = 15

// endOf is the error of a read that has read nothing.
func endOf(err error) error {
	if err == nil {
		return io.EOF
	}
	return os.NewSyscallError("read", err)
}

// wait waits for one of fds until the deadline. The kernel looks once more when the time is over, so
// what came in time is seen, however late this thread runs.
//
// It waits as long as it may at once: in a virtual machine a timer that is due before the kernel's next tick, some milliseconds
// away, costs more than a microsecond to set and to take back. And Go's scheduler knows of every call here: reads and writes
// take a lock that the program may hold, too, for as long as its own memory takes to be there; hidden, that would stop this
// whole process, not one game.
func wait(fds []unix.PollFd, deadline time.Time) error {
	for {
		left := clock.Until(deadline)
		timeout := unix.NsecToTimespec(int64(max(0, left)))
		n, err := unix.Ppoll(fds, &timeout, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return os.NewSyscallError("ppoll", err)
		case n == 0 && left > 0 && clock.Until(deadline) > 0: // there was a pause
		case n == 0:
			return os.ErrDeadlineExceeded
		default:
			return nil
		}
	}
}

func (s *rawSource) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := [8]byte{1}
	unix.Write(s.wake, one[:])
}

func (s *rawSource) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wake, fd := s.wake, s.fd
	s.wake, s.fd = -1, -1
	unix.Close(wake)
	return unix.Close(fd)
}
