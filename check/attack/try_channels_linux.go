package attack

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// typeIn makes the referee's terminal its own, and types: by its name, by what leads to it, and by trying all.
func typeIn(s *Scene) (string, error) {
	paths := []string{"/dev/tty", "/dev/console"}
	numbered, _ := filepath.Glob("/dev/pts/[0-9]*")
	if s.Terminal != "" {
		paths = append(paths, s.Terminal)
		numbered = nil
	}
	if s.Seen(s.Referee) {
		paths = append(paths, s.Referee.Proc("fd/0"), s.Referee.Proc("fd/2"))
		if referees, err := os.Readlink(s.Referee.Proc("fd/0")); err == nil {
			paths, numbered = append(paths, referees), nil // the others are somebody else's
		}
	}
	unix.Setsid() // who leads a session without a terminal gets the first that it opens
	var tries []func() (string, error)
	for _, path := range append(paths, numbered...) {
		tries = append(tries, func() (string, error) {
			f, err := os.OpenFile(path, os.O_RDWR|unix.O_NONBLOCK, 0)
			if err != nil {
				return "", err
			}
			defer f.Close()
			mode, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
			if err != nil {
				return "", err
			}
			key := byte('x')
			return Every(
				func() (string, error) {
					return Got(unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, mode), "set the modes of %s", path)
				},
				func() (string, error) {
					return Got(call(unix.SYS_IOCTL, f.Fd(), unix.TIOCSTI, uintptr(unsafe.Pointer(&key))), "typed into %s", path)
				},
				func() (string, error) {
					_, err := f.WriteString("x")
					return Got(err, "wrote on %s", path)
				},
			)
		})
	}
	return Every(tries...)
}

// hear connects to a server of the referee, which says the secret to whoever asks.
func (s *Scene) hear(kind, address string) (string, error) {
	c, err := net.DialTimeout(kind, address, time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	if _, err := c.Write([]byte("?")); err != nil {
		return "", err
	}
	text := make([]byte, len(Secret(s.Mark)))
	if _, err := io.ReadFull(c, text); err != nil {
		return "", err
	}
	if !s.secret(text) {
		return "", errors.New("somebody else answered")
	}
	return fmt.Sprintf("heard the secret at %s", address), nil
}

func abstractSocket(s *Scene) (string, error) { return s.hear("unix", "@"+s.Abstract) }

// temporarySocket reaches for sockets of others, and for those of the machine's services, to which nothing is said.
func temporarySocket(s *Scene) (string, error) {
	var tries []func() (string, error)
	for _, path := range s.Sockets {
		tries = append(tries, func() (string, error) { return s.hear("unix", path) })
	}
	for _, pattern := range []string{"/run/*.sock", "/run/*/*.sock", "/run/dbus/system_bus_socket", "/tmp/.X11-unix/*", "/tmp/ssh-*/agent.*"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			tries = append(tries, func() (string, error) {
				return connect(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: path}, "the service "+path)
			})
		}
	}
	return Every(tries...)
}

func pathSocket(s *Scene) (string, error) { return s.hear("unix", s.PathSocket) }

func loopback(s *Scene) (string, error) {
	_, port, err := net.SplitHostPort(s.TCP)
	if err != nil {
		return "", err
	}
	number, _ := strconv.Atoi(port)
	tries := []func() (string, error){
		func() (string, error) { return s.hear("udp", s.UDP) },
		func() (string, error) {
			return connect(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, &unix.SockaddrInet4{Port: number, Addr: [4]byte{127, 0, 0, 1}}, "it by MPTCP")
		},
	}
	for _, host := range []string{"127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"} {
		tries = append(tries, func() (string, error) { return s.hear("tcp", host+":"+port) })
	}
	return Every(tries...)
}

// network asks for a connection to an address that RFC 5737 keeps free of machines, and waits for no answer.
func network(*Scene) (string, error) {
	tries := []func() (string, error){func() (string, error) {
		return connect(unix.AF_INET, unix.SOCK_STREAM, 0, &unix.SockaddrInet4{Port: 9, Addr: [4]byte{192, 0, 2, 1}}, "a machine outside")
	}}
	interfaces, _ := net.InterfaceAddrs()
	for _, a := range interfaces {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() {
			tries = append(tries, func() (string, error) { return fmt.Sprintf("has the address %v", ip), nil })
		}
	}
	return Every(tries...)
}

func connect(family, kind, protocol int, to unix.Sockaddr, what string) (string, error) {
	fd, err := unix.Socket(family, kind|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, protocol)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	if err = unix.Connect(fd, to); err == unix.EINPROGRESS {
		err = nil
	}
	return Got(err, "reached %s", what)
}

// rawSockets listen to what others say. A netlink socket is open to all; to join those who read what it is about is not.
func rawSockets(*Scene) (string, error) {
	var tries []func() (string, error)
	for name, kind := range map[string][3]int{
		"packet": {unix.AF_PACKET, unix.SOCK_RAW, 0}, "raw IP": {unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP},
		"audit": {unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT},
	} {
		tries = append(tries, func() (string, error) {
			fd, err := unix.Socket(kind[0], kind[1]|unix.SOCK_CLOEXEC, kind[2])
			if err != nil {
				return "", err
			}
			defer unix.Close(fd)
			if kind[0] == unix.AF_NETLINK {
				err = unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: 1})
			}
			return Got(err, "a socket (%s)", name)
		})
	}
	return Every(tries...)
}

// families are those of sockets that lead out of a machine or between its programs past any network.
func families(*Scene) (string, error) {
	var tries []func() (string, error)
	for name, family := range map[string]int{
		"vsock": unix.AF_VSOCK, "Bluetooth": unix.AF_BLUETOOTH, "TIPC": unix.AF_TIPC, "crypto": unix.AF_ALG, "RDS": unix.AF_RDS, "SMC": unix.AF_SMC,
	} {
		for _, kind := range []int{unix.SOCK_DGRAM, unix.SOCK_STREAM, unix.SOCK_SEQPACKET} {
			tries = append(tries, func() (string, error) {
				fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, 0)
				if err == nil {
					unix.Close(fd)
				}
				return Got(err, "a socket (%s)", name)
			})
		}
	}
	return Every(tries...)
}

// systemV reaches for the shared memory, the semaphores and the messages of others, and leaves some for the observer.
func systemV(s *Scene) (string, error) {
	const create = unix.IPC_CREAT | 0o666
	unix.SysvShmGet(s.Key+1, 4096, create)
	unix.Syscall(unix.SYS_SEMGET, uintptr(s.Key+1), 1, create)
	unix.Syscall(unix.SYS_MSGGET, uintptr(s.Key+1), create, 0)
	return Every(
		func() (string, error) {
			id, err := unix.SysvShmGet(s.Key, 0, 0)
			if err != nil {
				return "", err
			}
			text, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
			if err != nil {
				return "", err
			}
			defer unix.SysvShmDetach(text)
			return fmt.Sprintf("attached %d bytes", len(text)), nil
		},
		func() (string, error) {
			return Got(call(unix.SYS_SEMGET, uintptr(s.Key), 0, 0), "found semaphores")
		},
		func() (string, error) {
			return Got(call(unix.SYS_MSGGET, uintptr(s.Key), 0, 0), "found messages")
		},
	)
}

func messageQueue(s *Scene) (string, error) {
	if fd, err := openQueue(queueLeft(s.Mark), unix.O_RDWR|unix.O_CREAT); err == nil {
		unix.Close(fd)
	}
	if s.Queue == "" {
		return "", fmt.Errorf("%w: none could be made", errUntried)
	}
	fd, err := openQueue(s.Queue, unix.O_RDONLY)
	if err == nil {
		unix.Close(fd)
	}
	return Got(err, "opened it")
}

// openQueue opens or makes a POSIX message queue.
func openQueue(name string, flags int) (fd int, err error) {
	text, err := unix.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	n, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(text)), uintptr(flags|unix.O_CLOEXEC), 0o666, 0, 0, 0)
	return int(n), failure(errno)
}

func removeQueue(name string) {
	if text, err := unix.BytePtrFromString(name); err == nil {
		unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(text)), 0, 0)
	}
}
