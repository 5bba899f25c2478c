package seat

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"luzhanqi/text"
)

// What the two ends say to each other when they connect: an HTTP request that asks for another protocol, which proxies pass on.
const (
	Upgrade        = "luzhanqi-seat-1"
	HeaderName     = "Luzhanqi-Name"     // who plays
	HeaderLink     = "Luzhanqi-Link"     // a secret that names a link
	HeaderReceived = "Luzhanqi-Received" // how much of it has arrived
)

// Door is where a server's seats can be taken.
type Door struct {
	URL   *url.URL // of a table
	Token string   // empty: none
	Name  string
	// Dial makes connections; nil: over the network.
	Dial func(ctx context.Context) (net.Conn, error)
	// Waits is told why a connection is waited for.
	Waits func(error)
}

// ParseURL reads the address of a table, http://HOST:PORT/tables/NAME.
func ParseURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || !strings.HasPrefix(u.Path, "/tables/") {
		return nil, fmt.Errorf("address %q: allowed are forms such as http://HOST:PORT/tables/NAME, and https", address)
	}
	return u, nil
}

// here says whether a host is this machine.
func here(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Refused is what a server has answered instead of a seat.
type Refused struct {
	Code int
	Why  string
}

func (r *Refused) Error() string { return fmt.Sprintf("the server refuses: %s (%d)", r.Why, r.Code) }

// final says whether asking again is of no use.
func (r *Refused) final() bool { return r.Code/100 == 4 && r.Code != http.StatusTooManyRequests }

// Sit takes a seat and keeps its link connected, until ctx ends or the link has. It calls play once, in a goroutine of its own,
// and returns its error; retry is how long a server that cannot be reached, or has no seat, is asked again.
func (d *Door) Sit(ctx context.Context, retry time.Duration, play func(context.Context, *Link) error) error {
	if d.Token != "" && d.URL.Scheme == "http" && !here(d.URL.Hostname()) {
		return fmt.Errorf("a token for %s: whoever is on its way could read it; allowed are https, and http on this machine", d.URL)
	}
	l := NewLink()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var played chan error
	id := ""
	lost := time.Now()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		t := l.Detach()
		c, given, received, err := d.connect(ctx, id, t.Received)
		if err == nil {
			if id == "" {
				id = given
				played = make(chan error, 1)
				go func() { played <- play(ctx, l) }()
			}
			if err = l.Attach(t, c, received); err == nil {
				wait = 25 * time.Millisecond
				l.Broken(ctx)
				if !l.isOver() { // what is still to be said is not said for ever
					lost = time.Now()
				}
			}
		}
		if played != nil && l.isDone() {
			return <-played
		}
		refused := (*Refused)(nil)
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case errors.As(err, &refused) && refused.final(), time.Since(lost) > retry:
		default:
			if err != nil && d.Waits != nil {
				d.Waits(err)
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
			continue
		}
		if played != nil {
			stop(err)
			if <-played == nil { // it had come to its end
				return nil
			}
		}
		return err
	}
}

// isOver says whether this side has ended the link.
func (l *Link) isOver() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// isDone says whether either side has ended the link, and the other one knows it.
func (l *Link) isDone() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.done()
}

// connect asks for a seat, or for the one that was left.
func (d *Door) connect(ctx context.Context, id string, have uint64) (c net.Conn, given string, received uint64, err error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if d.Dial != nil {
		c, err = d.Dial(ctx)
	} else {
		c, err = d.dial(ctx)
	}
	if err != nil {
		return nil, "", 0, err
	}
	raw := c
	defer func() {
		if err != nil {
			raw.Close()
		}
	}()
	until, _ := ctx.Deadline()
	c.SetDeadline(until)
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL.JoinPath("join").String(), nil)
	if err != nil {
		return nil, "", 0, err
	}
	q.Header.Set("Connection", "Upgrade")
	q.Header.Set("Upgrade", Upgrade)
	q.Header.Set("Accept", "application/json")
	q.Header.Set(HeaderName, url.QueryEscape(d.Name))
	if d.Token != "" {
		q.Header.Set("Authorization", "Bearer "+d.Token)
	}
	if id != "" {
		q.Header.Set(HeaderLink, id)
		q.Header.Set(HeaderReceived, strconv.FormatUint(have, 10))
	}
	if err := q.Write(c); err != nil {
		return nil, "", 0, err
	}
	from := bufio.NewReader(c)
	a, err := http.ReadResponse(from, q)
	if err != nil {
		return nil, "", 0, err
	}
	if a.StatusCode != http.StatusSwitchingProtocols {
		said, _ := io.ReadAll(io.LimitReader(a.Body, 4<<10))
		a.Body.Close()
		why := text.Printable(string(said))
		if _, rest, ok := strings.Cut(why, `{"error":"`); ok {
			why, _, _ = strings.Cut(rest, `"}`)
		}
		return nil, "", 0, &Refused{a.StatusCode, text.Cut(why, 300)}
	}
	if received, err = strconv.ParseUint(a.Header.Get(HeaderReceived), 10, 64); err != nil {
		return nil, "", 0, fmt.Errorf("the server does not say how much it has received: %w", err)
	}
	c.SetDeadline(time.Time{})
	return &buffered{c, from}, a.Header.Get(HeaderLink), received, nil
}

func (d *Door) dial(ctx context.Context) (net.Conn, error) {
	port := d.URL.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[d.URL.Scheme]
	}
	at := net.JoinHostPort(d.URL.Hostname(), port)
	if d.URL.Scheme == "https" {
		return (&tls.Dialer{Config: &tls.Config{NextProtos: []string{"http/1.1"}}}).DialContext(ctx, "tcp", at)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", at)
}

// buffered is a connection of which something may have been read already.
type buffered struct {
	net.Conn
	from *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.from.Read(p) }

// CloseWrite says that nothing more is written.
func (b *buffered) CloseWrite() error {
	if half, ok := b.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
