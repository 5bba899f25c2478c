package queue

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Client is the connection to the queue's servers.
type Client struct {
	MaxFailing time.Duration // how long the embedded server may fail before waiting for it ends with ErrStopped

	name   string // by which the servers and the coordinator know us
	conn   *nats.Conn
	js     jetstream.JetStream
	server *server.Server // in this process; nil: they are elsewhere
	door   *door          // of the server
	dir    string         // of the server

	closing *closing

	// dial opens one more connection.
	dial func(warn func(string)) (*nats.Conn, error)
}

// Dial connects to servers, now or when they are there, by a token or NAME:PASSWORD. host begins the name of who has none;
// warn receives warnings about temporary trouble.
func Dial(address, secret, host string, warn func(string)) (*Client, error) {
	address, inside, err := cutSecrets(address)
	if err != nil {
		return nil, err
	}
	if secret == "" {
		secret = inside
	}
	who, err := newCredential(secret, host)
	if err != nil {
		return nil, fmt.Errorf("connect to the queue at %s: %w", address, err)
	}
	return connect(address, who, warn, nats.RetryOnFailedConnect(true))
}

// connect opens a connection that never gives up on a server that goes away, and warns when it goes and when it is
// back.
func connect(address string, who credential, warn func(string), more ...nats.Option) (*Client, error) {
	closing := newClosing()
	dial := func(warn func(string)) (*nats.Conn, error) { return dial(address, who, closing, warn, more...) }
	conn, err := dial(warn)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Client{name: who.name, conn: conn, js: js, closing: closing, dial: dial}, nil
}

func dial(address string, who credential, closing *closing, warn func(string), more ...nats.Option) (*nats.Conn, error) {
	conn, err := nats.Connect(address, append([]nats.Option{
		nats.Name("luzhanqi " + who.name),
		nats.UserInfo(who.name, who.password), nats.Token(who.token), // a server looks at the one or the other
		nats.CustomInboxPrefix(inbox(who.name)),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1), // what cannot be sent is an error at once, and is tried again
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && !closing.said(context.Background(), closingSoon) {
				warn(fmt.Sprintf("the queue went away (%v); waiting for it", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			closing.say(false)
			warn("the queue is back")
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			var network *net.OpError
			if errors.As(err, &network) && closing.said(context.Background(), closingSoon) {
				return // what was being written when it closed is nobody's loss
			}
			warn(fmt.Sprintf("the queue: %v", err))
		}),
	}, more...)...)
	if err != nil {
		var wrong *url.Error
		if errors.As(err, &wrong) {
			err = wrong.Err // without the URL, which may hold a token
		}
		return nil, fmt.Errorf("connect to the queue at %s: %w", WithoutToken(address), err)
	}
	return conn, nil
}

// Name is what people see of the name by which the coordinator knows us.
func (c *Client) Name() string { return shown(c.name) }

// ErrToken is the error of [Client.Check] while the servers do not let us in.
var ErrToken = errors.New("the queue does not let this worker in: its token is not that of the run; copy the token file that the run names when it begins, and give it by --token-file")

// Check says whether the servers can be reached.
func (c *Client) Check() error {
	if c.conn.IsConnected() {
		return nil
	}
	err := errUnconnected
	if last := c.conn.LastError(); errors.Is(last, nats.ErrAuthorization) {
		return ErrToken
	} else if last != nil {
		err = fmt.Errorf("%w: %w", err, last)
	}
	return err
}

var (
	errLost        = errors.New("the connection to the queue was lost")
	errUnconnected = errors.New("no connection to the queue")
)

// whenLost calls stop when the connection is lost, until end is called: no answer to what was asked on it will come.
func (c *Client) whenLost(stop func()) (end func()) {
	lost := c.conn.StatusChanged(nats.DISCONNECTED, nats.RECONNECTING, nats.CLOSED)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range lost {
			stop()
		}
	}()
	return func() {
		c.conn.RemoveStatusListener(lost)
		<-ended
	}
}

// Backoff waits for the queue.
func (c *Client) Backoff() Backoff {
	b := Backoff{closed: c.closed}
	if c.server != nil {
		b.dead = c.dead
	}
	return b
}

// gathering is how long further coordinators may take to answer after the first.
const gathering = 100 * time.Millisecond

// ErrNone is the error of [Client.Tournaments] when there is none.
var ErrNone = errors.New("there is no tournament")

// Tournaments lists the ids of the tournaments whose coordinators answer within a second.
func (c *Client) Tournaments(ctx context.Context) (ids []string, err error) {
	answers := nats.NewInbox()
	answers = inbox(c.name) + strings.TrimPrefix(answers, "_INBOX")
	sub, err := c.conn.SubscribeSync(answers)
	if err != nil {
		return nil, err
	}
	defer sub.Unsubscribe()
	if err := c.conn.PublishRequest(subjectOf(c.name, kindFind), answers, nil); err != nil {
		return nil, err
	}
	for wait := time.Second; ; wait = gathering {
		waiting, stop := context.WithTimeout(ctx, wait)
		m, err := sub.NextMsgWithContext(waiting)
		stop()
		switch {
		case err == nil:
			ids = append(ids, string(m.Data))
		case len(ids) > 0 && (errors.Is(err, nats.ErrNoResponders) || waiting.Err() != nil):
			return ids, nil
		case errors.Is(err, nats.ErrNoResponders) || waiting.Err() != nil:
			return nil, ErrNone
		default:
			return nil, err
		}
	}
}

// Address is where workers on other machines find the queue. A server that listens everywhere is found by this
// machine's name.
func (c *Client) Address() string {
	u, err := url.Parse(c.server.ClientURL())
	if err != nil {
		return c.server.ClientURL()
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			u.Host = net.JoinHostPort(name, u.Port())
		}
	}
	return u.String()
}

// Close ends the connection, and the server if it is ours.
func (c *Client) Close() {
	c.closing.say(true) // nobody waits for that news any more
	c.conn.Close()
	if c.server != nil {
		shutDown(c.server)
	}
}
