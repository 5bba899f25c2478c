package queue

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// maxMessage bounds a message of the embedded server. Longer records go to its object store.
const maxMessage = 8 << 20

// Embed runs a JetStream server inside this process, with its files in a folder of a directory, and
// connects to it without a network. Without an address to listen on the server opens no port. Files that it
// cannot read are set aside: the store knows what they would say.
//
// What the queue has not written when the machine loses its power is only jobs, which are offered again, and
// results that are not in the store yet, whose games are played again: so it need not synchronize every message.
func Embed(dir, listen, token string, say func(string)) (*Client, error) {
	dir = folder(dir)
	s, err := start(dir, listen, token)
	if err != nil {
		return nil, err
	}
	c, err := connect(s.ClientURL(), token, "luzhanqi tournament", say, nats.InProcessServer(s))
	if err != nil {
		shutDown(s)
		return nil, err
	}
	c.server, c.dir, c.MaxFailing = s, dir, 15*time.Second
	return c, nil
}

// folder is that of the embedded server in the tournament's directory.
func folder(dir string) string { return filepath.Join(dir, Folder) }

// Folder is the name of the embedded server's folder in the tournament's directory.
const Folder = "queue"

// Delete deletes the files of the embedded server, which must have been closed.
func Delete(dir string) error { return os.RemoveAll(folder(dir)) }

func start(dir, listen, token string) (*server.Server, error) {
	o := &server.Options{
		ServerName: "luzhanqi", JetStream: true, StoreDir: dir, DontListen: listen == "",
		NoLog: true, NoSigs: true, MaxPayload: maxMessage, Authorization: token,
	}
	if listen != "" {
		host, port, err := net.SplitHostPort(listen)
		if err != nil {
			return nil, fmt.Errorf("queue: listen on %q: %w; allowed is host:port, such as 127.0.0.1:4222", listen, err)
		}
		if o.Port, err = strconv.Atoi(port); err != nil {
			return nil, fmt.Errorf("queue: listen on %q: port %q: allowed is a number", listen, port)
		}
		if o.Port == 0 {
			o.Port = server.RANDOM_PORT
		}
		o.Host = host
		probe, err := net.Listen("tcp", listen) // the server itself would end the process
		if err != nil {
			return nil, fmt.Errorf("queue: %w", err)
		}
		probe.Close()
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	fatal := &fatalLog{said: make(chan string, 1)}
	s.SetLogger(fatal, false, false)
	s.Start()
	for range 600 {
		if s.ReadyForConnections(100 * time.Millisecond) {
			return s, nil
		}
		select {
		case why := <-fatal.said:
			s.Shutdown()
			return nil, fmt.Errorf("queue in %s: %s", dir, why)
		default:
		}
	}
	s.Shutdown()
	return nil, errors.New("queue: the embedded server was not ready within a minute")
}

func shutDown(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// dead says that the embedded queue has given up, which it does when its disk is full, or fails for too long: it does
// not go away and come back.
func (c *Client) dead(failing time.Duration) error {
	if c.server.JetStreamEnabled() && failing < c.MaxFailing {
		return nil
	}
	return fmt.Errorf("the queue in %s %w; if there is no room on its disk, make some, and run it again: nothing that was stored is lost", c.dir, ErrStopped)
}

// fatalLog keeps what the server says before it would give up; nothing else it says is for people who
// run a tournament.
type fatalLog struct{ said chan string }

func (l *fatalLog) Fatalf(format string, v ...any) {
	select {
	case l.said <- fmt.Sprintf(format, v...):
	default:
	}
}
func (*fatalLog) Noticef(string, ...any) {}
func (*fatalLog) Warnf(string, ...any)   {}
func (*fatalLog) Errorf(string, ...any)  {}
func (*fatalLog) Debugf(string, ...any)  {}
func (*fatalLog) Tracef(string, ...any)  {}
