package queue

import "github.com/nats-io/nats.go"

// Bounds of what one worker may have others wait for, whose requests come behind its own.
const (
	maxAhead  = 2 * maxWaiting // requests: an honest worker, which waits for answers, has a part of this on the way
	echoEvery = 1024           // requests of one worker, after which it is seen how many are on the way
)

// line is the requests that come by one subscription, one after the other: who sends faster than they are read has all others
// wait, though no more than a few of its requests may be known. So the coordinator sends itself a message, an echo, and counts whose
// requests come before it is back. Its methods are called one at a time.
type line struct {
	conn          *nats.Conn
	subject, echo string
	came          map[string]int // requests of each worker since an echo came back
	waiting       bool           // for an echo
	lost          uint64         // what may have been lost when it was sent
}

// losses counts what an echo may have been lost by.
func (l *line) losses(m *nats.Msg) uint64 {
	dropped, _ := m.Sub.Dropped()
	return uint64(dropped) + l.conn.Stats().Reconnects
}

// echoed says whether a message is the echo.
func (l *line) echoed(m *nats.Msg) bool {
	if m.Subject != l.subject || string(m.Data) != l.echo {
		return false
	}
	clear(l.came)
	l.waiting = false
	return true
}

// jammed counts a request, and says whether more than maxAhead of its worker have come since an echo was sent, which has not come back
// though it was not lost.
func (l *line) jammed(m *nats.Msg, name string) bool {
	if len(l.came) >= maxTaking {
		clear(l.came)
	}
	l.came[name]++
	switch {
	case !l.waiting && l.came[name] >= echoEvery:
		l.lost = l.losses(m)
		l.waiting = l.conn.Publish(l.subject, []byte(l.echo)) == nil
	case l.waiting && l.came[name] > echoEvery+maxAhead:
		clear(l.came)
		l.waiting = false
		return l.losses(m) == l.lost
	}
	return false
}
