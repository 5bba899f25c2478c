package queue

import "time"

// Bounds of what one worker may have others wait for, whose requests come behind its own.
const (
	maxAhead  = 2 * maxWaiting  // requests: many more than an honest worker, which waits for answers, has on the way, but after a stall
	maxFlood  = 16 * maxWaiting // requests: more than connections hold while the coordinator is stopped
	echoEvery = 1024            // requests of one worker, after which it is seen how many are on the way

	// maxInsistence is how long a worker may send too much without a pause: what had to wait while the coordinator was stopped is read
	// sooner.
	maxInsistence = time.Second
	pause         = 5 * time.Second
)

// line is the requests that come by one subscription, one after the other: who sends faster than they are read has all others
// wait, though no more than a few of its requests may be known. So the coordinator sends itself a message, an echo, and counts whose
// requests come before it is back. Its methods are called one at a time.
type line struct {
	send    func() error   // sends an echo
	losses  func() uint64  // counts what an echo may be lost by
	came    map[string]int // requests of each worker since an echo was sent, or came back
	waiting bool           // for an echo
	lost    uint64         // losses when it was sent
}

// echoed notes that the echo is back.
func (l *line) echoed() {
	clear(l.came)
	l.waiting = false
}

// ahead counts a request, and says how many of its worker have come since an echo was sent that has not come back; 0: none is waited
// for, or it may be lost.
func (l *line) ahead(name string) int {
	if len(l.came) >= maxTaking {
		clear(l.came)
	}
	l.came[name]++
	n := l.came[name]
	switch {
	case !l.waiting && n >= echoEvery:
		clear(l.came)
		l.lost = l.losses()
		l.waiting = l.send() == nil
		return 0
	case l.waiting && n > maxAhead && l.losses() != l.lost:
		l.echoed()
		return 0
	case !l.waiting:
		return 0
	}
	return n
}

// insistence is since when a worker has sent too much, without a pause.
type insistence struct{ since, last time.Time }

// goesOn notes that a worker sends too much, and says whether it has done so for too long.
func (i *insistence) goesOn(now time.Time) bool {
	if now.Sub(i.last) > pause {
		i.since = now
	}
	i.last = now
	return now.Sub(i.since) >= maxInsistence
}

// sendsTooMuch notes that a worker sends too much, and says whether it has done so for too long, or far too much. Then its requests
// neither come nor are read any more. The coordinator's own worker is never sent away.
func (g *gate) sendsTooMuch(name, what string, far bool) bool {
	if name == g.queue.client.name {
		return false
	}
	g.mu.Lock()
	if len(g.insists) > maxTaking {
		clear(g.insists)
	}
	one := g.insists[name]
	if one == nil {
		one = new(insistence)
		g.insists[name] = one
	}
	away := one.goesOn(time.Now()) || far
	if away {
		g.away[name] = true
	}
	g.mu.Unlock()
	if away {
		g.warnOnce(name, "it sends "+what)
		g.queue.client.expel(name)
	}
	return away
}
