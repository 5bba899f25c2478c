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

	conn   *nats.Conn
	js     jetstream.JetStream
	server *server.Server // in this process; nil: they are elsewhere
	dir    string         // of the server
}

// Dial connects to servers, now or when they are there. name says who we are; warn receives warnings about
// temporary trouble.
func Dial(url, token, name string, warn func(string)) (*Client, error) {
	return connect(url, token, name, warn, nats.RetryOnFailedConnect(true))
}

// connect opens a connection that never gives up on a server that goes away, and warns when it goes and when it is
// back.
func connect(address, token, name string, warn func(string), more ...nats.Option) (*Client, error) {
	options := append([]nats.Option{
		nats.Name(name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1), // what cannot be sent is an error at once, and is tried again
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				warn(fmt.Sprintf("the queue went away (%v); waiting for it", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { warn("the queue is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { warn(fmt.Sprintf("the queue: %v", err)) }),
	}, more...)
	if token != "" {
		options = append(options, nats.Token(token))
	}
	conn, err := nats.Connect(address, options...)
	if err != nil {
		var wrong *url.Error
		if errors.As(err, &wrong) {
			err = wrong.Err // without the URL, which may hold a token
		}
		return nil, fmt.Errorf("connect to the queue at %s: %w", WithoutToken(address), err)
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Client{conn: conn, js: js}, nil
}

// Check says whether the servers can be reached.
func (c *Client) Check() error {
	if c.conn.IsConnected() {
		return nil
	}
	err := errors.New("no connection to the queue")
	if last := c.conn.LastError(); last != nil {
		err = fmt.Errorf("%w: %w", err, last)
	}
	return err
}

// Tournaments lists the ids of the tournaments that have a queue of jobs.
func (c *Client) Tournaments(ctx context.Context) (ids []string, err error) {
	names := c.js.StreamNames(ctx)
	for name := range names.Name() {
		if id, ok := strings.CutPrefix(name, streamPrefix); ok {
			if id, ok = strings.CutSuffix(id, jobsSuffix); ok {
				ids = append(ids, id)
			}
		}
	}
	return ids, names.Err()
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
	c.conn.Close()
	if c.server != nil {
		shutDown(c.server)
	}
}

// WithoutToken hides what the URLs of servers have before their @.
func WithoutToken(urls string) string {
	var all []string
	for url := range strings.SplitSeq(urls, ",") {
		scheme, rest, ok := strings.Cut(strings.TrimSpace(url), "://")
		if !ok {
			scheme, rest = "nats", url
		}
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			rest = rest[at+1:]
		}
		all = append(all, scheme+"://"+rest)
	}
	return strings.Join(all, ",")
}
