package serve

import (
	"compress/gzip"
	"context"
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"luzhanqi/serve/page"
)

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// guard lets only requests through that pages of this server make, or somebody at this machine, and sets what all answers have.
func (s *Server) guard(next http.Handler) http.Handler {
	foreign := http.NewCrossOriginProtection()
	for _, name := range s.config.Names { // a proxy may ask by another name than the browser
		foreign.AddTrustedOrigin("https://" + name)
	}
	foreign.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, http.StatusForbidden, "this request comes from a page of another site")
	}))
	next = s.admitted(foreign.Handler(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.counts.requests.Add(1)
		if !s.access.lets(network(s.config.client(r))) {
			s.slowDown(w, r)
			return
		}
		if !s.config.private(r) {
			s.refuse(w, r, http.StatusForbidden, "what you say could be read on its way: come by the server's proxy, by https")
			return
		}
		if !ownName(r.Host) && !s.config.named(r.Host) { // a page elsewhere, whose name was made to lead here
			s.refuse(w, r, http.StatusMisdirectedRequest, "this server is known as "+strings.Join(append(slices.Clone(s.config.Names), "localhost and 127.0.0.1"), ", "))
			return
		}
		if !strings.HasSuffix(r.URL.Path, "/events") && !strings.HasSuffix(r.URL.Path, "/join") { // which last
			if !s.crowds.enter(r.Context(), network(s.config.client(r))) {
				return
			}
			defer s.crowds.leave(network(s.config.client(r)))
		}
		h := w.Header()
		h.Set("Content-Security-Policy", page.Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		most := int64(formed)
		if r.Method == http.MethodPost && ofCourse(r.URL.Path) {
			most += s.largest // of an upload, with what a form adds
		}
		if drops(r) {
			most += maxDropped
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
		next.ServeHTTP(w, r)
	})
}

// slowDown refuses a request of an address that makes too many: later, so that a connection makes few of them, and without a page,
// which would be most of the work.
func (s *Server) slowDown(w http.ResponseWriter, r *http.Request) {
	s.counts.refused.Add(1)
	wait(s.closing, s.slowly)
	w.Header().Set("Retry-After", "1")
	why := "too many requests come from your address; try again in a second"
	if wantsJSON(r) {
		s.answer(w, http.StatusTooManyRequests, map[string]string{"error": why})
		return
	}
	http.Error(w, why, http.StatusTooManyRequests)
}

// slowly is how long who makes too many requests waits for the answer to each: a connection gets one a second.
const slowly = time.Second

// atATime is how many requests of one address, or IPv6 network, are answered at a time; the others wait. So who asks over a thousand connections at
// once takes no more of the processors than who asks over some.
const atATime = 32

// crowds are the requests that are being answered, by where they come from.
type crowds struct {
	mu  sync.Mutex
	all map[string]*crowded
}

type crowded struct {
	places chan struct{}
	n      int // requests that have a place or wait for one
}

// enter waits for a place; false: who asks has gone.
func (c *crowds) enter(ctx context.Context, from string) bool {
	c.mu.Lock()
	if c.all == nil {
		c.all = map[string]*crowded{}
	}
	of := c.all[from]
	if of == nil {
		of = &crowded{places: make(chan struct{}, atATime)}
		c.all[from] = of
	}
	of.n++
	c.mu.Unlock()
	select {
	case of.places <- struct{}{}:
		return true
	case <-ctx.Done():
		c.gone(from, of)
		return false
	}
}

// leave makes place for another.
func (c *crowds) leave(from string) {
	c.mu.Lock()
	of := c.all[from]
	c.mu.Unlock()
	<-of.places
	c.gone(from, of)
}

func (c *crowds) gone(from string, of *crowded) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if of.n--; of.n == 0 {
		delete(c.all, from)
	}
}

// named says whether the server is known by a name.
func (c *Config) named(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return slices.Contains(c.Names, host)
}

// ownName says whether a host is this machine.
func ownName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// compressed lets text travel small, to those who can read it so.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") || strings.HasSuffix(r.URL.Path, "/events") || strings.HasSuffix(r.URL.Path, "/join") {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept-Encoding")
		z := &zipping{ResponseWriter: w}
		defer z.end()
		next.ServeHTTP(z, r)
	})
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// zipping compresses what is written, unless it has no content.
type zipping struct {
	http.ResponseWriter
	to *gzip.Writer
}

// Unwrap lets times be set for a connection.
func (z *zipping) Unwrap() http.ResponseWriter { return z.ResponseWriter }

func (z *zipping) WriteHeader(code int) {
	kind := z.Header().Get("Content-Type")
	if code == http.StatusOK && !strings.Contains(kind, "woff2") {
		z.Header().Set("Content-Encoding", "gzip")
		z.Header().Del("Content-Length")
		z.to = zippers.Get().(*gzip.Writer)
		z.to.Reset(z.ResponseWriter)
	}
	z.ResponseWriter.WriteHeader(code)
}

func (z *zipping) Write(b []byte) (int, error) {
	if z.to == nil {
		return z.ResponseWriter.Write(b)
	}
	return z.to.Write(b)
}

func (z *zipping) end() {
	if z.to != nil {
		z.to.Close()
		zippers.Put(z.to)
	}
}

// door is a listener that lets one address have so many connections at a time, and closes those beyond before anything is read
// of them. Without it who only opens connections could have all that the system gives us.
type door struct {
	net.Listener
	most    int
	proxies []string // whose connections are not counted: they are those of many
	refused func()

	mu   sync.Mutex
	open map[string]int // connections, by what network says of their addresses
}

func (d *door) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		tcp, ok := c.(*net.TCPConn)
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		if !ok || slices.Contains(d.proxies, host) {
			return c, nil
		}
		from := network(host)
		if d.enters(from) {
			return &counted{tcp, sync.OnceFunc(func() { d.leaves(from) })}, nil
		}
		d.refused()
		c.Close()
	}
}

// enters says whether one more from there may have a connection, and counts it.
func (d *door) enters(from string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[from] >= d.most {
		return false
	}
	d.open[from]++
	return true
}

func (d *door) leaves(from string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[from]--; d.open[from] == 0 {
		delete(d.open, from)
	}
}

// counted is a connection that makes place for another when it is closed.
type counted struct {
	*net.TCPConn
	leave func()
}

// Close makes place first: who sees the end of a connection finds it free.
func (c *counted) Close() error {
	c.leave()
	return c.TCPConn.Close()
}
