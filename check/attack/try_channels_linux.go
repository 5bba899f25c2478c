package attack

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// typeIn makes the referee's terminal its own, and types.
func typeIn(s *scene) (string, error) {
	if s.Terminal == "" {
		return "", fmt.Errorf("%w: no terminal could be made", errUntried)
	}
	unix.Setsid() // who leads a session without a terminal gets the first that it opens
	f, err := os.OpenFile(s.Terminal, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return every(
		func() (string, error) {
			key := byte('x')
			_, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), unix.TIOCSTI, uintptr(unsafe.Pointer(&key)))
			return got(failure(errno), "typed into %s", s.Terminal)
		},
		func() (string, error) {
			_, err := f.WriteString("x")
			return got(err, "wrote on %s", s.Terminal)
		},
	)
}

// hear connects to a server of the referee, which says the secret to whoever asks.
func (s *scene) hear(kind, address string) (string, error) {
	c, err := net.DialTimeout(kind, address, time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	if _, err := c.Write([]byte("?")); err != nil {
		return "", err
	}
	text := make([]byte, s.Length)
	if _, err := io.ReadFull(c, text); err != nil {
		return "", err
	}
	if !s.secret(text) {
		return "", errors.New("somebody else answered")
	}
	return fmt.Sprintf("heard the secret at %s", address), nil
}

func abstractSocket(s *scene) (string, error) { return s.hear("unix", "@"+s.Abstract) }

func temporarySocket(s *scene) (string, error) {
	var tries []func() (string, error)
	for _, path := range s.Sockets {
		tries = append(tries, func() (string, error) { return s.hear("unix", path) })
	}
	return every(tries...)
}

func pathSocket(s *scene) (string, error) { return s.hear("unix", s.PathSocket) }

func loopback(s *scene) (string, error) {
	return every(
		func() (string, error) { return s.hear("tcp", s.TCP) },
		func() (string, error) { return s.hear("udp", s.UDP) },
	)
}

// network asks for a connection to an address that RFC 5737 keeps free of machines, and waits for no answer.
func network(*scene) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	err = unix.Connect(fd, &unix.SockaddrInet4{Port: 9, Addr: [4]byte{192, 0, 2, 1}})
	if err == unix.EINPROGRESS {
		err = nil
	}
	return got(err, "a packet was sent")
}

func sharedMemory(s *scene) (string, error) {
	if s.Segment < 0 {
		return "", fmt.Errorf("%w: none could be made", errUntried)
	}
	text, err := unix.SysvShmAttach(s.Segment, 0, unix.SHM_RDONLY)
	if err != nil {
		return "", err
	}
	defer unix.SysvShmDetach(text)
	if !s.secret(text[:min(s.Length, len(text))]) {
		return "", errors.New("it holds something else here")
	}
	return "read it", nil
}

func messageQueue(s *scene) (string, error) {
	if s.Queue == "" {
		return "", fmt.Errorf("%w: none could be made", errUntried)
	}
	fd, err := openQueue(s.Queue, unix.O_RDONLY)
	if err == nil {
		unix.Close(fd)
	}
	return got(err, "opened it")
}

// openQueue opens or makes a POSIX message queue.
func openQueue(name string, flags int) (fd int, err error) {
	text, err := unix.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	n, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(text)), uintptr(flags|unix.O_CLOEXEC), 0o600, 0, 0, 0)
	return int(n), failure(errno)
}

func removeQueue(name string) {
	if text, err := unix.BytePtrFromString(name); err == nil {
		unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(text)), 0, 0)
	}
}
