// Package systemd speaks with the service manager that has started the process, by what it leaves in the environment: [Sockets]
// are those that it listens on for us (sd_listen_fds(3)), a [Notifier] tells it how we are (sd_notify(3)). Without one, or on
// systems without systemd, there are none, and nothing is told.
//
// It is not go-systemd, which reads the environment whenever something is to be told: here it is cleared at once, so that no program
// that we start can speak for us, and a socket that is none, or two of one name, is an error.
package systemd

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// firstFile is the number of the first socket.
const firstFile = 3

// Sockets are the listeners that were handed over, by their names (FileDescriptorName); "" and unknown are those without. They are
// taken out of the environment: no program that we start gets them.
func Sockets() (map[string]net.Listener, error) {
	pid, fds, names := os.Getenv("LISTEN_PID"), os.Getenv("LISTEN_FDS"), strings.Split(os.Getenv("LISTEN_FDNAMES"), ":")
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		os.Unsetenv(name)
	}
	if pid != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	n, err := strconv.Atoi(fds)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("LISTEN_FDS=%q: allowed are whole numbers", fds)
	}
	all := map[string]net.Listener{}
	for i := range n {
		name := ""
		if i < len(names) && names[i] != "unknown" {
			name = names[i]
		}
		file := os.NewFile(uintptr(firstFile+i), "socket of systemd "+name)
		l, err := net.FileListener(file)
		file.Close()
		if err == nil && all[name] != nil {
			l.Close()
			err = fmt.Errorf("two have the name %q", name)
		}
		if err != nil {
			for _, l := range all {
				l.Close()
			}
			return nil, fmt.Errorf("socket %d of %d, which systemd hands over: %w", i+1, n, err)
		}
		all[name] = l
	}
	return all, nil
}

// Notifier tells the service manager how we are. That of nobody tells nothing.
type Notifier struct {
	socket *net.UnixConn
	every  time.Duration // how often it wants to hear that we live; 0: never
}

// Notify finds who wants to be told.
func Notify() (*Notifier, error) {
	name, wait, pid := os.Getenv("NOTIFY_SOCKET"), os.Getenv("WATCHDOG_USEC"), os.Getenv("WATCHDOG_PID")
	for _, name := range []string{"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"} {
		os.Unsetenv(name)
	}
	if name == "" {
		return &Notifier{}, nil
	}
	socket, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return nil, fmt.Errorf("NOTIFY_SOCKET=%q: %w", name, err)
	}
	n := &Notifier{socket: socket}
	if usec, err := strconv.ParseInt(wait, 10, 64); err == nil && usec > 0 && (pid == "" || pid == strconv.Itoa(os.Getpid())) {
		n.every = time.Duration(usec) * time.Microsecond / 2 // as its manual recommends
	}
	return n, nil
}

// Every is how often Alive is to be called; 0: never.
func (n *Notifier) Every() time.Duration { return n.every }

// Ready says that we serve.
func (n *Notifier) Ready(status string) error { return n.say("READY=1\nSTATUS=" + status) }

// Stopping says that we end, which may take so long.
func (n *Notifier) Stopping(status string, within time.Duration) error {
	return n.say(fmt.Sprintf("STOPPING=1\nSTATUS=%s\nEXTEND_TIMEOUT_USEC=%d", status, within.Microseconds()))
}

// Alive says that we live.
func (n *Notifier) Alive() error { return n.say("WATCHDOG=1") }

func (n *Notifier) say(what string) error {
	if n.socket == nil {
		return nil
	}
	_, err := n.socket.Write([]byte(what))
	return err
}

// Close ends it.
func (n *Notifier) Close() {
	if n.socket != nil {
		n.socket.Close()
	}
}
