package attack

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// SocketName is of the sockets that the test listens on, the abstract one and that in its directory.
func SocketName(mark string) string { return "luzhanqi-socket-" + mark }

func dial(network, address string) func() (string, error) {
	return func() (string, error) {
		c, err := net.DialTimeout(network, address, time.Second)
		if err == nil {
			defer c.Close()
			c.SetDeadline(time.Now().Add(300 * time.Millisecond))
			c.Write([]byte("x"))
			_, err = c.Read(make([]byte, 1)) // the test answers
		}
		return got(err, "reached %s %s", network, address)
	}
}

// network reaches for whatever the test listens on outside.
func network(s *Scene) (string, error) {
	tries := []func() (string, error){
		dial("udp", "127.0.0.1:"+strconv.Itoa(s.UDP)),
		dial("unix", "@"+SocketName(s.Mark)),
		dial("unix", s.near("home", SocketName(s.Mark))),
		func() (string, error) {
			return connect(unix.AF_INET, unix.SOCK_STREAM, 262, &unix.SockaddrInet4{Port: s.TCP, Addr: [4]byte{127, 0, 0, 1}}) // MPTCP
		},
	}
	for _, address := range []string{"127.0.0.1", "[::1]", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"} {
		tries = append(tries, dial("tcp", address+":"+strconv.Itoa(s.TCP)))
	}
	interfaces, _ := net.InterfaceAddrs()
	for _, a := range interfaces {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() {
			tries = append(tries, func() (string, error) { return fmt.Sprintf("has the address %v", ip), nil })
		}
	}
	return every(tries...)
}

func connect(family, kind, protocol int, to unix.Sockaddr) (string, error) {
	fd, err := unix.Socket(family, kind, protocol)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	return got(unix.Connect(fd, to), "connected by protocol %d", protocol)
}

// rawSockets listen to what others say.
func rawSockets(*Scene) (string, error) {
	var tries []func() (string, error)
	for name, kind := range map[string][3]int{
		"packet": {unix.AF_PACKET, unix.SOCK_RAW, 0}, "raw IP": {unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP},
		"netlink audit": {unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT},
	} {
		tries = append(tries, func() (string, error) {
			fd, err := unix.Socket(kind[0], kind[1], kind[2])
			if err == nil && kind[0] == unix.AF_NETLINK { // open to all; to join its readers is not
				err = unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: 1})
			}
			if err == nil {
				unix.Close(fd)
			}
			return got(err, "a %s socket", name)
		})
	}
	return every(tries...)
}

// families are those of sockets that lead out of a machine or between its programs past any network.
func families(*Scene) (string, error) {
	var tries []func() (string, error)
	for name, family := range map[string]int{
		"vsock": unix.AF_VSOCK, "Bluetooth": unix.AF_BLUETOOTH, "packet": unix.AF_PACKET, "TIPC": unix.AF_TIPC, "crypto": unix.AF_ALG,
	} {
		tries = append(tries, func() (string, error) {
			fd, err := unix.Socket(family, unix.SOCK_DGRAM, 0)
			if err != nil {
				fd, err = unix.Socket(family, unix.SOCK_STREAM, 0)
			}
			if err != nil {
				return "", err
			}
			unix.Close(fd)
			return fmt.Sprintf("a %s socket", name), nil
		})
	}
	return every(tries...)
}

// servers are the sockets of the machine's services: of containers, of the message bus, of whoever sits before it. Nobody
// is spoken to. The test has put one of its own where such sockets are.
func servers(s *Scene) (string, error) {
	var found []string
	for _, pattern := range []string{
		"/run/*.sock", "/run/*/*.sock", "/run/dbus/system_bus_socket", "/run/luzhanqi-test-" + s.Mark + "/*", "/tmp/.X11-unix/*", "/tmp/ssh-*/agent.*",
	} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
			if err != nil {
				return "", err
			}
			if unix.Connect(fd, &unix.SockaddrUnix{Name: path}) == nil {
				found = append(found, path)
			}
			unix.Close(fd)
		}
	}
	if found == nil {
		return "", errors.New("no service is to be seen")
	}
	return "reached " + strings.Join(found, ", "), nil
}

// terminal reaches for the referee's: by name, by descriptor, by number.
func terminal(s *Scene) (string, error) {
	paths := []string{"/dev/tty", "/dev/console", fmt.Sprintf("/proc/%d/fd/0", s.Referee), fmt.Sprintf("/proc/%d/fd/2", s.Referee)}
	numbered, _ := filepath.Glob("/dev/pts/[0-9]*")
	ours, _ := os.Readlink("/proc/self/fd/0")
	own := []string{}
	if strings.HasPrefix(ours, "/dev/pts/") {
		own = append(own, ours)
	}
	if !s.refereeSeen() {
		paths = []string{"/dev/tty", "/dev/console"}
	}
	var tries []func() (string, error)
	for _, path := range append(paths, numbered...) {
		tries = append(tries, func() (string, error) {
			fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
			if err != nil {
				return "", err
			}
			defer unix.Close(fd)
			mode, err := unix.IoctlGetTermios(fd, unix.TCGETS)
			if err != nil || len(own) > 0 {
				return "", err
			}
			if !s.refereeSeen() { // not known to be the test's
				return "opened " + path, nil
			}
			link, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", s.Referee))
			if path != link && path != paths[2] {
				return "", nil // somebody else's
			}
			return every(
				func() (string, error) {
					return got(unix.IoctlSetTermios(fd, unix.TCSETS, mode), "set the modes of %s", path)
				},
				func() (string, error) {
					letter := byte('q')
					return got(inject(fd, &letter), "typed into %s", path)
				},
			)
		})
	}
	return every(tries...)
}
