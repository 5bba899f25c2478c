package seat

import (
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

	"github.com/coder/websocket"

	"luzhanqi/text"
)

// What the two ends say to each other when they connect, by WebSocket, which proxies pass on.
const (
	Protocol       = "luzhanqi-seat-1"   // the subprotocol
	HeaderName     = "Luzhanqi-Name"     // who plays
	HeaderLink     = "Luzhanqi-Link"     // a secret that names a link
	HeaderReceived = "Luzhanqi-Received" // how much of it has arrived
)

// Door is where a server's seats can be taken.
type Door struct {
	URL   *url.URL // of a table
	Token string   // empty: none
	Name  string
	// Dial makes connections, with TLS where the address asks for it; nil: over the network.
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
	header := http.Header{"Accept": {"application/json"}, HeaderName: {url.QueryEscape(d.Name)}}
	if d.Token != "" {
		header.Set("Authorization", "Bearer "+d.Token)
	}
	if id != "" {
		header.Set(HeaderLink, id)
		header.Set(HeaderReceived, strconv.FormatUint(have, 10))
	}
	by := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, TLSClientConfig: &tls.Config{NextProtos: []string{"http/1.1"}}}
	if d.Dial != nil {
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return d.Dial(ctx) }
		by = &http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true}
	}
	ws, a, err := websocket.Dial(ctx, d.URL.JoinPath("join").String(), &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: by, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		HTTPHeader: header, Subprotocols: []string{Protocol},
	})
	if err != nil {
		if a == nil || a.StatusCode == http.StatusSwitchingProtocols {
			return nil, "", 0, err
		}
		said, _ := io.ReadAll(a.Body) // the first part of it
		why := text.Printable(string(said))
		if _, rest, ok := strings.Cut(why, `{"error":"`); ok {
			why, _, _ = strings.Cut(rest, `"}`)
		}
		return nil, "", 0, &Refused{a.StatusCode, text.Cut(why, 300)}
	}
	if received, err = strconv.ParseUint(a.Header.Get(HeaderReceived), 10, 64); err != nil {
		ws.CloseNow()
		return nil, "", 0, fmt.Errorf("the server does not say how much it has received: %w", err)
	}
	return NewSocket(ws), a.Header.Get(HeaderLink), received, nil
}

// socket is a WebSocket as a connection: what is written at once is one message.
type socket struct {
	net.Conn
	ws *websocket.Conn
}

// NewSocket makes a connection of a WebSocket, whoever has opened it.
func NewSocket(ws *websocket.Conn) net.Conn {
	ws.SetReadLimit(head + longest + 1<<10)
	return &socket{websocket.NetConn(context.Background(), ws, websocket.MessageBinary), ws}
}

// CloseWrite has nothing to do: the other side knows the end of a stream by what is said.
func (s *socket) CloseWrite() error { return nil }

// Close leaves without a farewell, for which the other side would be waited for.
func (s *socket) Close() error {
	err := s.ws.CloseNow()
	s.Conn.Close()
	return err
}
