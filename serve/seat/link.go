// Package seat seats programs that play over a network. A [Link] is a stream of bytes in both directions that outlives its
// connections: what was not acknowledged is sent again over the next one, so that nothing is lost or doubled. A [Seat] is a
// referee's seat whose program is at the other end of a link, and [Bridge] is that other end: it starts a local program and
// passes the lines of the protocol on, as they are. Connections are made by the program's side only.
package seat

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

const (
	// heartbeat is how often something is said on a connection; whoever hears nothing for silence takes it for broken.
	heartbeat = 5 * time.Second
	silence   = 15 * time.Second
	// patience is how long the other side may take to read.
	patience = 10 * time.Second
	// most is how much is kept for who does not read or is not there, in bytes, and how much may come that nobody has asked for.
	most = 1 << 20
)

// ErrFull: the other side has not read for too long.
var ErrFull = errors.New("more than 1 MiB is not acknowledged")

// Link is one end of a stream. Any goroutine may use it.
type Link struct {
	plain bool // bytes as they are, over one connection alone
	mu    sync.Mutex
	conn  net.Conn // nil: broken
	turn  int      // counts the connections
	begun time.Time

	in       []chunk // received and not read
	unread   int     // bytes of it
	received uint64  // in all
	out      []byte  // written and not acknowledged
	base     uint64  // bytes before out
	told     uint64  // of received, what was acknowledged

	ended  bool   // nothing will be received any more
	reason string // why, as the other side has it
	over   bool   // this side has ended it
	why    string // which it tells the other one
	said   bool   // it has told it, and all that was written has arrived

	broke     time.Time     // since when it is broken
	broken    time.Duration // in all, without now
	breaks    int
	roundTrip time.Duration // the latest; 0: none is known
	probe     uint64        // its end is acknowledged: a round trip
	probed    time.Time     // zero: there is none under way

	changed chan struct{} // closed when anything above has changed
	gone    chan struct{} // closed when nothing works for the latest connection any more; nil: there was none
}

// chunk is what arrived at a time.
type chunk struct {
	data []byte
	at   time.Time
}

// maxChunks is how many times of arrival are kept, so that who sends single bytes takes no more memory than others.
const maxChunks = 4096

// arrive keeps what has arrived. The lock is held.
func (l *Link) arrive(data []byte) {
	l.received += uint64(len(data))
	l.unread += len(data)
	if n := len(l.in); n >= maxChunks {
		l.in[n-1].data = append(l.in[n-1].data, data...)
	} else if len(data) > 0 {
		l.in = append(l.in, chunk{data, time.Now()})
	}
}

// NewLink makes an end that has no connection yet.
func NewLink() *Link {
	now := time.Now()
	return &Link{begun: now, broke: now, changed: make(chan struct{})}
}

// NewPlain is a link that is one connection, without frames: for nc, and for programs with a socket. When it breaks, it has ended.
func NewPlain(c net.Conn) *Link {
	l := NewLink()
	l.plain = true
	l.Attach(l.Detach(), c, 0)
	return l
}

// note wakes who waits. The lock is held.
func (l *Link) note() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Ticket is what a new connection is attached with.
type Ticket struct {
	turn     int
	Received uint64 // bytes that have arrived at this end: the other end is told
}

// Detach leaves the connection, if there is one, for the next.
func (l *Link) Detach() Ticket {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop()
	l.turn++
	return Ticket{l.turn, l.received}
}

// drop leaves the connection. The lock is held.
func (l *Link) drop() {
	if l.conn == nil {
		return
	}
	l.conn.Close()
	l.conn, l.broke, l.probed = nil, time.Now(), time.Time{}
	l.breaks++
	if l.plain {
		l.ended = true
	}
	l.note()
}

// ErrStale: another connection was made since, or the other end cannot have received what it says.
var ErrStale = errors.New("the connection does not fit the stream")

// Attach goes on over a connection; received is how much has arrived at the other end. The link closes the connection. A link that
// this side has ended takes one, too: the other side comes for the end of what was said.
func (l *Link) Attach(t Ticket, c net.Conn, received uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.turn != l.turn || l.conn != nil || received < l.base || received > l.base+uint64(len(l.out)) {
		c.Close()
		return ErrStale
	}
	l.acknowledged(received)
	l.conn, l.told = c, l.received
	l.broken += time.Since(l.broke)
	l.note()
	gone, heard := make(chan struct{}), make(chan struct{})
	l.gone = gone
	go func() {
		defer close(heard)
		l.receive(c)
	}()
	go func() {
		defer close(gone)
		l.send(c, received)
		<-heard
	}()
	return nil
}

// acknowledged forgets what has arrived. The lock is held.
func (l *Link) acknowledged(total uint64) {
	if total <= l.base {
		return
	}
	l.out = append(l.out[:0], l.out[total-l.base:]...)
	l.base = total
	if !l.probed.IsZero() && total >= l.probe {
		l.roundTrip, l.probed = time.Since(l.probed), time.Time{}
	}
}

// lost says that a connection is of no more use.
func (l *Link) lost(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == c {
		l.drop()
	}
}

// receive takes in what comes over a connection, until it breaks.
func (l *Link) receive(c net.Conn) {
	ended := false
	defer func() {
		if !ended { // else it is still good for what this side has to say: what has arrived, and its own end
			l.lost(c)
		}
	}()
	from := &frames{r: c}
	for {
		wait := silence
		if l.plain {
			wait = 365 * 24 * time.Hour // nothing is said to keep it alive
		}
		c.SetReadDeadline(time.Now().Add(wait))
		f, err := from.next(l.plain)
		if err != nil {
			return
		}
		l.mu.Lock()
		valid := l.conn == c && l.unread+len(f.data) <= most && f.total <= l.base+uint64(len(l.out))
		if valid {
			l.arrive(f.data)
			l.acknowledged(f.total)
			if f.end {
				l.ended, l.reason = true, f.reason
			}
			l.note()
		}
		l.mu.Unlock()
		if ended = valid && f.end; ended || !valid {
			return
		}
	}
}

// send sends what is to be sent over a connection, until it breaks or the link has ended.
func (l *Link) send(c net.Conn, at uint64) {
	defer l.lost(c)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for due := true; ; {
		l.mu.Lock()
		if l.conn != c {
			l.mu.Unlock()
			return
		}
		changed, over := l.changed, l.over
		if at < l.base { // acknowledged over an earlier connection
			at = l.base
		}
		f := frame{total: l.received, data: append([]byte(nil), l.out[at-l.base:]...), end: over, reason: l.why}
		due = due || l.told != l.received || over
		l.told = l.received
		at += uint64(len(f.data))
		if len(f.data) > 0 && l.probed.IsZero() {
			l.probe, l.probed = at, time.Now()
		}
		l.mu.Unlock()
		if len(f.data) > 0 || due {
			c.SetWriteDeadline(time.Now().Add(patience))
			if _, err := c.Write(f.encode(l.plain)); err != nil {
				return
			}
			if over {
				l.farewell(c)
				l.mu.Lock()
				l.said = l.said || len(l.out) == 0
				l.note()
				l.mu.Unlock()
				return
			}
			due = false
			if l.plain {
				l.mu.Lock()
				l.acknowledged(at)
				l.mu.Unlock()
			}
		}
		select {
		case <-changed:
		case <-beat.C:
			due = !l.plain
		}
	}
}

// farewell waits until the other side has read everything: what closes a connection at once may overtake what was written.
func (l *Link) farewell(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	for {
		l.mu.Lock()
		changed, there := l.changed, l.conn == c && !l.ended
		l.mu.Unlock()
		if !there {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// Write writes without waiting.
func (l *Link) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.over || l.ended:
		return 0, io.ErrClosedPipe
	case len(l.out)+len(b) > most:
		return 0, ErrFull
	}
	l.out = append(l.out, b...)
	l.note()
	return len(b), nil
}

// Read reads what has arrived. It returns 0 and nil when the connection has broken, or there is a new one; io.EOF when
// nothing more will come, and os.ErrDeadlineExceeded, even if something has arrived after the deadline.
func (l *Link) Read(ctx context.Context, b []byte, deadline time.Time) (int, error) {
	late := time.NewTimer(time.Until(deadline))
	defer late.Stop()
	l.mu.Lock()
	connected := l.conn != nil
	for {
		switch {
		case len(l.in) > 0 && l.in[0].at.After(deadline):
			l.mu.Unlock()
			return 0, os.ErrDeadlineExceeded
		case len(l.in) > 0:
			n := copy(b, l.in[0].data)
			if l.in[0].data = l.in[0].data[n:]; len(l.in[0].data) == 0 {
				l.in = l.in[1:]
			}
			l.unread -= n
			l.mu.Unlock()
			return n, nil
		case l.ended || l.over:
			l.mu.Unlock()
			return 0, io.EOF
		case connected != (l.conn != nil):
			l.mu.Unlock()
			return 0, nil
		}
		changed := l.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-late.C:
			return 0, os.ErrDeadlineExceeded
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		l.mu.Lock()
	}
}

// End says to the other side that there is nothing more, and why, and waits until the connection is closed, if there is one. Later
// ones are not waited for.
func (l *Link) End(reason string) {
	l.mu.Lock()
	if !l.over {
		l.over, l.why = true, reason
		l.note()
	}
	gone := l.gone
	l.mu.Unlock()
	if gone != nil {
		<-gone
	}
}

// Told waits until the other side knows that this one has ended the link, over whichever connection, and has all that was written.
func (l *Link) Told(ctx context.Context) {
	for {
		l.mu.Lock()
		changed, told := l.changed, l.done()
		l.mu.Unlock()
		if told {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// done says whether nothing is left to be said. The lock is held.
func (l *Link) done() bool { return l.ended || l.over && l.said }
