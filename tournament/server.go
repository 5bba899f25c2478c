package tournament

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// longestMessage bounds a message of the embedded server. Longer records go to its object store.
const longestMessage = 8 << 20

// startServer runs a JetStream server inside this process, with its files in a directory. Without an
// address to listen on it opens no port. What the queue has not written when the machine loses its
// power is only jobs, which are offered again, and results that are not in the store yet, whose games
// are played again: so it need not synchronize every message.
func startServer(dir, listen, token string) (*server.Server, error) {
	o := &server.Options{
		ServerName: "luzhanqi", JetStream: true, StoreDir: dir, DontListen: listen == "",
		NoLog: true, NoSigs: true, MaxPayload: longestMessage, Authorization: token,
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

// inside connects to the embedded server without a network.
func inside(s *server.Server, token string) []nats.Option {
	return append(withToken(token), nats.InProcessServer(s))
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
